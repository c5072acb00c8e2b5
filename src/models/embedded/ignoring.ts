/** "Ignore memory leaks" is about something else. */
const IGNORE_MEMORY =
  /\b(?:ignore|without(?: using)?|don't use|do not use|disregard) (?:(?:your|any|the|all|my) )*memor(?:y|ies)\b(?![ -](?:leaks?|limits?|usage|mapped|mapping|errors?|allocations?|allocators?|pressure|pools?|constraints?|issues?|problems?|warnings?|safety|bounds?|addresses|barriers?))|(?:忽略|不要用|不用|别用|不使用)(?:你的|所有)?记忆/i

/** Whether the person wants memory left out of this. */
export function ignoresMemory(words: string): boolean {
  return IGNORE_MEMORY.test(words)
}
