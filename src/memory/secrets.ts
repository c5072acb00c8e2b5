import { assignedSecrets } from './secrets/assigned.ts'
import { knownTokens, type SecretPlace } from './secrets/known-tokens.ts'
import { scannedTokens } from './secrets/scanner.ts'

/** What was found and where; never the secret itself. */
export interface FoundSecret {
  kind: string
  /** Counted from 1. */
  line: number
}

/** How many findings a message names before it only counts the rest. */
const NAMED_IN_MESSAGE = 3

/** Every secret that a text appears to hold, in order, each line and kind once. */
export async function findSecrets(text: string): Promise<FoundSecret[]> {
  const places = await secretPlaces(text)
  const found = new Map<string, FoundSecret>()
  let line = 1
  let counted = 0
  for (const { kind, start } of places) {
    for (let at = text.indexOf('\n', counted); at !== -1 && at < start; at = text.indexOf('\n', at + 1))
      line += 1
    counted = Math.max(counted, start)
    found.set(`${line} ${kind}`, { kind, line })
  }
  return [...found.values()]
}

/** The text with a word in the place of each secret, for what is kept by itself and nobody can be asked about. */
export async function withoutSecrets(text: string): Promise<string> {
  let clean = ''
  let upTo = 0
  for (const { kind, start, end } of await secretPlaces(text)) {
    if (start >= upTo) clean += `${text.slice(upTo, start)}[${kind}, not kept]`
    upTo = Math.max(upTo, end)
  }
  return clean + text.slice(upTo)
}

async function secretPlaces(text: string): Promise<SecretPlace[]> {
  const certain = outermost([...knownTokens(text), ...(await scannedTokens(text))])
  const guessed = outermost(assignedSecrets(text))
  return [...certain, ...without(guessed, certain)].sort(byStart)
}

/** What to tell the person whose memory was refused. */
export function secretMessage(found: FoundSecret[]): string {
  if (found.length === 0) return ''
  const named = found.slice(0, NAMED_IN_MESSAGE).map(({ kind, line }) => `${kind} on line ${line}`)
  const rest = found.length - named.length
  const list = rest > 0 ? [...named, `${rest} more`] : named
  const what = new Intl.ListFormat('en').format(list)
  return `This looks like it contains ${what}, so nothing was saved. Say where the secret is kept (a password manager, an environment variable), not what it is.`
}

function byStart(a: SecretPlace, b: SecretPlace): number {
  return a.start - b.start
}

/** Two rules often see the same token; the one that begins first names it. */
function outermost(places: readonly SecretPlace[]): SecretPlace[] {
  const kept: SecretPlace[] = []
  for (const place of [...places].sort(byStart)) {
    const last = kept.at(-1)
    if (last === undefined || place.start >= last.end) kept.push(place)
  }
  return kept
}

/** `token: ghp_…` is a GitHub token; that it is also assigned to something says nothing more. */
function without(guessed: readonly SecretPlace[], certain: readonly SecretPlace[]): SecretPlace[] {
  let next = 0
  return guessed.filter(guess => {
    while ((certain[next]?.end ?? Number.POSITIVE_INFINITY) <= guess.start) next += 1
    return (certain[next]?.start ?? Number.POSITIVE_INFINITY) >= guess.end
  })
}
