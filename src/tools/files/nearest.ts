/** Why a text was not found, told so that the next try succeeds. */

export interface Nearest {
  /** From 1 on. */
  line: number
  /** What stands there, as many lines as were looked for. */
  lines: string[]
  /** How it differs; undefined when it is merely similar. */
  differs: string | undefined
}

/** From the least to the most that is overlooked. */
const OVERLOOKED: ReadonlyArray<[differs: string, normal: (line: string) => string]> = [
  ['only in spaces at the ends of lines', line => line.trimEnd()],
  ['only in the indentation (tabs or spaces)', line => line.trim()],
  ['only in quotes, dashes or other look-alike characters', line => plainCharacters(line).trim()],
  ['only in spaces', line => plainCharacters(line).replace(/\s+/g, '')],
  ['only in upper and lower case', line => plainCharacters(line).replace(/\s+/g, '').toLowerCase()],
]

/** Lines beyond this are not looked at: it is advice, not a search. */
const MOST_LINES = 50_000
const MOST_LINE_CHARACTERS = 300
/** Below this share of common pairs of letters, a line is not worth mentioning. */
const SIMILAR_ENOUGH = 0.5

const NUMBERED = /^ *\d+\t/

/** Whether it was copied with the numbers that read_file puts before lines. */
export function hasLineNumbers(wanted: readonly string[]): boolean {
  return wanted.length > 0 && wanted.every(line => line === '' || NUMBERED.test(line))
}

export function nearest(lines: readonly string[], wanted: readonly string[]): Nearest | undefined {
  const within = lines.slice(0, MOST_LINES)
  const meant = trimmedEnds(wanted)
  if (meant.length === 0) return undefined
  for (const [differs, normal] of OVERLOOKED) {
    const at = indexOfLines(within.map(normal), meant.map(normal))
    if (at >= 0) return { line: at + 1, lines: within.slice(at, at + meant.length), differs }
  }
  const at = mostSimilar(within, meant[0] ?? '')
  const found = at === undefined ? undefined : within[at]
  return at === undefined || found === undefined
    ? undefined
    : { line: at + 1, lines: [found], differs: undefined }
}

/** Where a run of lines begins in others; -1 when nowhere. */
function indexOfLines(lines: readonly string[], wanted: readonly string[], from = 0): number {
  for (let at = from; at + wanted.length <= lines.length; at++)
    if (wanted.every((line, offset) => lines[at + offset] === line)) return at
  return -1
}

function trimmedEnds(lines: readonly string[]): string[] {
  const first = lines.findIndex(line => line.trim() !== '')
  const last = lines.findLastIndex(line => line.trim() !== '')
  return first < 0 ? [] : lines.slice(first, last + 1)
}

function plainCharacters(line: string): string {
  return line
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u201a\u201b\u2032`]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u200b-\u200f\u2060\ufeff]/g, '')
}

function mostSimilar(lines: readonly string[], wanted: string): number | undefined {
  const pairs = pairsOf(wanted)
  let best: { at: number; share: number } | undefined
  for (const [at, line] of lines.entries()) {
    const share = likeness(pairs, pairsOf(line))
    if (share >= SIMILAR_ENOUGH && share > (best?.share ?? 0)) best = { at, share }
  }
  return best?.at
}

function pairsOf(line: string): Set<string> {
  const text = line.trim().toLowerCase().slice(0, MOST_LINE_CHARACTERS)
  const pairs = new Set<string>()
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2))
  return pairs
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0
  let common = 0
  for (const pair of a) if (b.has(pair)) common++
  return (2 * common) / (a.size + b.size)
}
