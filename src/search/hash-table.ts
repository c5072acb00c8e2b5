const NUMBERS_PER_SLOT = 4
const FIRST_SLOTS = 1 << 10
/** The less is free, the longer a lookup takes, and the more of the table the processor keeps at hand. */
const MOST_FILLED = 0.7

/**
 * Two numbers for each word, found by two hashes of the word, which together are as good as the word itself (the
 * chance that two of a million share both is one in 30 million). All is in one array: a lookup touches one place in memory, and
 * neither strings nor objects are made.
 */
export class HashTable {
  /** Of each slot: the two hashes, then the two numbers. A first number of 0 means that the slot is free. */
  slots = new Int32Array(FIRST_SLOTS * NUMBERS_PER_SLOT)
  #used = 0

  /** Where the slot of a word is, or would be. The numbers are at 2 and 3 from there. */
  find(first: number, second: number): number {
    const { slots } = this
    const last = slots.length - NUMBERS_PER_SLOT
    let at = ((first ^ (second >>> 7)) << 2) & last
    while (slots[at + 2] !== 0 && (slots[at] !== first || slots[at + 1] !== second))
      at = (at + NUMBERS_PER_SLOT) & last
    return at
  }

  add(first: number, second: number, number: number, other: number): void {
    if (this.#used * NUMBERS_PER_SLOT >= this.slots.length * MOST_FILLED) this.#grow()
    const at = this.find(first, second)
    this.slots[at] = first
    this.slots[at + 1] = second
    this.slots[at + 2] = number
    this.slots[at + 3] = other
    this.#used++
  }

  clear(): void {
    this.slots = new Int32Array(FIRST_SLOTS * NUMBERS_PER_SLOT)
    this.#used = 0
  }

  #grow(): void {
    const old = this.slots
    this.slots = new Int32Array(old.length * 2)
    for (let from = 0; from < old.length; from += NUMBERS_PER_SLOT) {
      if (old[from + 2] === 0) continue
      const at = this.find(old[from] as number, old[from + 1] as number)
      for (let number = 0; number < NUMBERS_PER_SLOT; number++)
        this.slots[at + number] = old[from + number] as number
    }
  }
}
