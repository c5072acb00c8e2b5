/** What a terminal sends, as keys: escape sequences of xterm, the kitty protocol, marked pastes. */

export interface Key {
  /** `a`, `enter`, `left`, …; of a character that was typed, the character. */
  name: string
  ctrl: boolean
  alt: boolean
  shift: boolean
  /** What is inserted where it means nothing else. */
  text?: string
}

export type Input = { kind: 'key'; key: Key } | { kind: 'paste'; text: string }

const ESCAPE = '\u001b'
const [PASTE_BEGINS, PASTE_ENDS] = ['\u001b[200~', '\u001b[201~']

const LETTERS: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  Z: 'tab',
}
const NUMBERS: Readonly<Record<string, string>> = {
  1: 'home',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
}
const CODES: Readonly<Record<number, string>> = { 9: 'tab', 13: 'enter', 27: 'escape', 127: 'backspace' }

/** As CSI begins: parameters, then the byte that ends it. */
const CSI = /^\u001b\[([\d;:<=>?]*)[ -/]*([@-~])/
const SS3 = /^\u001bO([A-Za-z])/
/** The beginning of a sequence of which the rest may still come. */
const UNFINISHED = /^\u001b(?:\[[\d;:<=>?]*[ -/]*|O)?$/

/** Holds what came of a sequence until the rest is there. Without a clock: who reads says when nothing followed. */
export class KeyReader {
  #rest = ''
  #paste: string | undefined

  read(chunk: string): Input[] {
    this.#rest += chunk
    const inputs: Input[] = []
    for (;;) {
      const input = this.#next()
      if (input === undefined) return inputs
      if (input !== 'nothing') inputs.push(input)
    }
  }

  /** Something is held that could be the key Escape alone. */
  get isWaiting(): boolean {
    return this.#paste === undefined && this.#rest !== ''
  }

  /** Nothing followed: what is held was all. */
  flush(): Input[] {
    if (!this.isWaiting) return []
    const held = this.#rest
    this.#rest = ''
    if (held === ESCAPE) return [keyInput('escape')]
    // Alt with a bracket or an O, which begin a sequence otherwise.
    return [keyInput(held.slice(1, 2), { alt: true })]
  }

  #next(): Input | 'nothing' | undefined {
    if (this.#paste !== undefined) return this.#nextOfPaste(this.#paste)
    const rest = this.#rest
    if (rest === '') return undefined
    if (rest.startsWith(PASTE_BEGINS)) {
      this.#rest = rest.slice(PASTE_BEGINS.length)
      this.#paste = ''
      return 'nothing'
    }
    if (rest.startsWith(ESCAPE)) return this.#nextOfEscape(rest)
    const [character = ''] = rest
    this.#rest = rest.slice(character.length)
    return { kind: 'key', key: plainKey(character) }
  }

  #nextOfPaste(before: string): Input | undefined {
    const text = before + this.#rest
    const end = text.indexOf(PASTE_ENDS)
    if (end < 0) {
      // The mark may be cut in two: what could be its beginning waits.
      const held = heldOfMark(text)
      this.#paste = text.slice(0, text.length - held)
      this.#rest = text.slice(text.length - held)
      return undefined
    }
    this.#paste = undefined
    this.#rest = text.slice(end + PASTE_ENDS.length)
    return { kind: 'paste', text: text.slice(0, end).replaceAll(/\r\n?/g, '\n') }
  }

  #nextOfEscape(rest: string): Input | 'nothing' | undefined {
    if (UNFINISHED.test(rest)) return undefined
    const csi = CSI.exec(rest)
    if (csi) {
      this.#rest = rest.slice(csi[0].length)
      return csiKey(csi[1] ?? '', csi[2] ?? '') ?? 'nothing'
    }
    const ss3 = SS3.exec(rest)
    if (ss3) {
      this.#rest = rest.slice(ss3[0].length)
      const name = ss3[1] === 'M' ? 'enter' : LETTERS[ss3[1] ?? '']
      return name === undefined ? 'nothing' : keyInput(name)
    }
    if (rest.startsWith(`${ESCAPE}[`) || rest.startsWith(`${ESCAPE}O`)) {
      this.#rest = rest.slice(2)
      return 'nothing'
    }
    const [, character = ''] = [...rest.slice(0, 3)]
    this.#rest = rest.slice(ESCAPE.length + character.length)
    // Escape twice is Escape, with nothing held back.
    if (character === ESCAPE) {
      this.#rest = ESCAPE + this.#rest
      return keyInput('escape')
    }
    const { text: _, ...key } = plainKey(character)
    return { kind: 'key', key: { ...key, alt: true } }
  }
}

function heldOfMark(text: string): number {
  for (let length = PASTE_ENDS.length - 1; length > 0; length--)
    if (text.endsWith(PASTE_ENDS.slice(0, length))) return length
  return 0
}

function keyInput(name: string, held: Partial<Key> = {}): Input {
  return { kind: 'key', key: { name, ctrl: false, alt: false, shift: false, ...held } }
}

/** One character outside any sequence. */
function plainKey(character: string): Key {
  const none = { ctrl: false, alt: false, shift: false }
  const code = character.codePointAt(0) ?? 0
  if (character === '\r') return { ...none, name: 'enter' }
  if (character === '\t') return { ...none, name: 'tab' }
  if (code === 0x7f || code === 0x08) return { ...none, name: 'backspace' }
  if (code === 0x1b) return { ...none, name: 'escape' }
  // Control with a letter; a line feed is Control-J.
  if (code < 0x20) return { ...none, name: String.fromCharCode(code + 0x60).toLowerCase(), ctrl: true }
  return { ...none, name: character, text: character }
}

function csiKey(parameters: string, final: string): Input | undefined {
  const [first = '', second = ''] = parameters.split(';')
  const held = heldKeys(Number(second.split(':')[0] || '1'))
  if (second.split(':')[1] === '3') return undefined // the key was let go
  if (final === 'u') return codeKey(Number(first.split(':')[0]), held)
  // As xterm says what it has no sequence for: 27;modifiers;code~
  if (final === '~' && first === '27')
    return codeKey(Number(parameters.split(';')[2]), heldKeys(Number(second)))
  const name = final === '~' ? NUMBERS[first] : LETTERS[final]
  if (name === undefined) return undefined
  return keyInput(name, final === 'Z' ? { ...held, shift: true } : held)
}

function heldKeys(modifiers: number) {
  const bits = Math.max(0, modifiers - 1)
  return { shift: (bits & 1) !== 0, alt: (bits & 2) !== 0, ctrl: (bits & 4) !== 0 }
}

function codeKey(code: number, held: ReturnType<typeof heldKeys>): Input | undefined {
  if (!(code > 0 && code <= 0x10ffff)) return undefined
  const name = CODES[code]
  if (name !== undefined) return keyInput(name, held)
  if (code < 0x20 || (code >= 57344 && code <= 63743)) return undefined
  const character = String.fromCodePoint(code)
  if (held.ctrl || held.alt) return keyInput(character.toLowerCase(), held)
  const text = held.shift ? character.toUpperCase() : character
  return keyInput(text, { text })
}
