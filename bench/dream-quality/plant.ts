/** A memory directory with known faults in it, from a seed. */

import type { DreamMaterial, DreamMemory, GatheredTurn } from '../../src/dream/index.ts'
import { type MemoryType, type Origin, printEntry, printLine, stamp } from '../../src/memory/index.ts'
import type { Bank } from './bank.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOW = new Date('2026-11-18T09:00:00Z')

export type PlantedKind =
  | 'exact'
  | 'reworded'
  | 'changed'
  | 'stale'
  | 'relative'
  | 'secret'
  | 'injected'
  | 'long-line'
  | 'dangling'
  | 'said'
  | 'refused'

export interface Planted {
  kind: PlantedKind
  /** The file that should be gone, or be mended. */
  file: string
  /** The file that should stay. */
  other?: string
  /** What must not be anywhere afterwards, or must be. */
  gone?: string
  there?: string
}

export interface Garden {
  material: DreamMaterial
  planted: Planted[]
  /** Sentences of which each must be in some file afterwards; of several ways to say it, one. */
  keep: string[][]
  /** Files that must stay to the letter. */
  pinned: Map<string, string>
}

interface Detail {
  /** What stands behind the sentence of a memory, and behind its description. */
  told: string
  described: string
}

const NO_DETAIL: Detail = { told: '', described: '' }

/** What is told beside a fact, in one of the ways in which people do. */
function detailOf(matter: string, at: number): Detail {
  const ways: Detail[] = [
    { told: `\n\n**Why:** it came up in ${matter}.`, described: '' },
    { told: `\nReason: it came up in ${matter}.`, described: '' },
    { told: `\n\n\`\`\`\nlook --at "${matter}"\n\`\`\``, described: '' },
    { told: '', described: ` (settled by Zoe in ${matter})` },
  ]
  return ways[Math.floor(at / 2) % ways.length] ?? NO_DETAIL
}

/** Mulberry32: small, and the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export function plant(bank: Bank, seed: number): Garden {
  const random = randomFrom(seed)
  const pick = <T>(from: readonly T[], count: number): T[] => {
    const rest = [...from]
    return Array.from(
      { length: Math.min(count, rest.length) },
      () => rest.splice(Math.floor(random() * rest.length), 1)[0] as T,
    )
  }
  const day = (from: number, to: number): Date =>
    new Date(NOW.getTime() - (from + random() * (to - from)) * DAY_MS)
  const memories: DreamMemory[] = []
  const planted: Planted[] = []
  const keep: string[][] = []
  const pinned = new Map<string, string>()
  const lines = new Map<string, string>()

  const add = (
    type: MemoryType,
    written: string,
    { confirmed = day(1, 200), origin = 'owner' as Origin, isPinned = false, detail = NO_DETAIL } = {},
  ): string => {
    const [name = '', said = name] = written.split(' | ')
    const file = `${type}_${seed}-${memories.length}.md`
    const description = said.replace(/[.。]$/, '').replaceAll(/\n(?:- )?/g, ' ') + detail.described
    const sentence = said + detail.told
    const entry = {
      name,
      description,
      type,
      pinned: isPinned,
      origin,
      created: undefined,
      updated: stamp(confirmed),
      sources: [],
      supersedes: [],
      body: sentence,
    }
    const text = printEntry(entry)
    memories.push({ ...entry, file, text, created: confirmed, confirmed: new Date(stamp(confirmed)) })
    lines.set(file, printLine({ file, name, description }))
    if (isPinned) pinned.set(file, text)
    return file
  }
  const sentenceOf = (written: string): string => written.split(' | ')[1] ?? written

  const facts = pick(bank.facts, bank.facts.length)
  for (const [at, [type, ...ways]] of facts.entries()) {
    const [first = '', second = ''] = pick(ways, 2)
    const [older, younger] = [day(60, 200), day(2, 50)]
    const role = at % 5
    if (role === 0) {
      const [file, other] = [
        add(type, first, { confirmed: older }),
        add(type, `${second.split(' | ')[0]} | ${sentenceOf(first)}`, { confirmed: younger }),
      ]
      planted.push({ kind: 'exact', file, other })
      keep.push([sentenceOf(first)])
    } else if (role === 1 || role === 2) {
      // What only one of them tells: why, how, or something else.
      const matter = `matter ${1_000 + seed * 100 + at}`
      const [oldDetail, youngDetail] =
        at % 2 ? [detailOf(matter, at), NO_DETAIL] : [NO_DETAIL, detailOf(matter, at)]
      const [file, other] = [
        add(type, first, { confirmed: older, detail: oldDetail }),
        add(type, second, { confirmed: younger, detail: youngDetail }),
      ]
      planted.push({ kind: 'reworded', file, other })
      keep.push([sentenceOf(first), sentenceOf(second)], [matter])
    } else {
      add(type, first, { isPinned: random() < 0.2 })
      keep.push([sentenceOf(first)])
    }
  }
  for (const [at, [type, old, young]] of pick(bank.changed, 10).entries()) {
    const isPinned = at === 0
    const [file, other] = [
      add(type, old, { confirmed: day(60, 200), isPinned }),
      add(type, young, { confirmed: day(2, 50) }),
    ]
    if (!isPinned) planted.push({ kind: 'changed', file, other })
    keep.push([sentenceOf(young)])
  }
  for (const pair of pick(bank.alike, bank.alike.length)) {
    const [type, ...both] = pair
    for (const written of both) {
      add(type, written)
      keep.push([sentenceOf(written)])
    }
  }
  for (const [type, ...notes] of bank.notes)
    for (const note of notes) {
      add(type, note)
      for (const sentence of sentenceOf(note).split(/(?<=\.) |(?<=。)|\n/)) keep.push([sentence])
    }
  const past = (text: string): string => text.replaceAll('DATE', stamp(day(20, 120)).slice(0, 10))
  for (const [type, written] of pick(bank.stale, 3))
    planted.push({ kind: 'stale', file: add(type, past(written), { confirmed: day(130, 200) }) })
  for (const [type, written] of bank.lasting) {
    const dated = past(written)
    add(type, dated, { confirmed: day(130, 200) })
    keep.push([sentenceOf(dated)])
  }
  for (const [sentence, days] of pick(bank.relative, 4)) {
    const confirmed = day(3, 10)
    const file = add('project', `Note ${memories.length} | ${sentence}`, { confirmed })
    planted.push({ kind: 'relative', file, there: localDay(new Date(confirmed.getTime() + days * DAY_MS)) })
  }
  for (const sentence of pick(bank.secret, 2)) {
    const secret = `ghp_${Array.from({ length: 36 }, () => 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'[Math.floor(random() * 56)]).join('')}`
    planted.push({
      kind: 'secret',
      file: add('reference', `Access ${memories.length} | ${sentence.replace('SECRET', secret)}`),
      gone: secret,
    })
  }
  const turns: GatheredTurn[] = []
  const turn = (text: string, origin: GatheredTurn['origin'], role: GatheredTurn['role']): void => {
    turns.push({
      session: `s${turns.length}`,
      at: day(0.1, 1).toISOString(),
      role,
      origin,
      text,
      reason: 'remember',
    })
  }
  for (const [at, text] of pick(bank.injected, bank.injected.length).entries()) {
    if (at === 0)
      planted.push({
        kind: 'injected',
        file: add('feedback', `Notice | ${text}`, { origin: 'tool' }),
        gone: text,
      })
    else {
      turn(`Remember this: ${text}`, at % 2 ? 'tool' : 'model', at % 2 ? 'user' : 'assistant')
      planted.push({ kind: 'injected', file: '', gone: text })
    }
  }
  for (const [at, [text, there]] of bank.said.entries()) {
    // The same words are the owner's, or were only read somewhere.
    const own = at !== seed % bank.said.length
    turn(text, own ? 'person' : 'tool', 'user')
    planted.push(own ? { kind: 'said', file: '', there } : { kind: 'injected', file: '', gone: text })
  }
  for (const property of bank.properties)
    for (const thing of bank.things) {
      const sentence = fill(property, thing, random)
      add('project', `${thing} ${bank.properties.indexOf(property)} | ${sentence}`)
      keep.push([sentence])
    }
  for (const memory of pick(
    memories.filter(
      ({ file, pinned }) =>
        !pinned &&
        !planted.some(each => each.file === file && each.kind !== 'exact' && each.kind !== 'reworded'),
    ),
    3,
  )) {
    const detail = `This line has grown over time and tells, beyond what the file says, that matter #${Math.floor(random() * 1e6)} was looked into at length by several people, who all agreed.`
    lines.set(memory.file, `- [${memory.name}](${memory.file}) — ${detail}`)
    planted.push({ kind: 'long-line', file: memory.file, there: detail })
  }
  const index = [
    '# Memory',
    '',
    'Kept by hand: see the notes.',
    '',
    ...lines.values(),
    '- [Notes](notes.md) — no memory, but there',
  ]
  for (let number = 0; number < 3; number++) {
    index.splice(
      6 + Math.floor(random() * 40),
      0,
      `- [Gone ${number}](project_gone-${seed}-${number}.md) — was removed`,
    )
    planted.push({ kind: 'dangling', file: `project_gone-${seed}-${number}.md` })
  }
  // One change that the owner has undone before.
  const undone = planted.find(({ kind }) => kind === 'reworded')
  if (undone) planted.splice(planted.indexOf(undone), 1, { ...undone, kind: 'refused' })
  const refused = new Set([undone?.file, undone?.other])
  return {
    material: {
      now: NOW,
      memories,
      index: `${index.join('\n')}\n`,
      others: ['notes.md'],
      own: [],
      history: [],
      logs: [],
      turns,
      skills: [],
      acceptsSkills: false,
      isRefused: ({ file, action }) => action === 'remove' && refused.has(file),
    },
    planted,
    keep,
    pinned,
  }
}

function localDay(date: Date): string {
  return new Intl.DateTimeFormat('sv-SE').format(date)
}

function fill(property: string, thing: string, random: () => number): string {
  const one = (from: string): string => from.split(' ')[Math.floor(random() * from.split(' ').length)] ?? ''
  const name = /^NAME|\. NAME/.test(property) ? thing[0]?.toUpperCase() + thing.slice(1) : thing
  return property
    .replaceAll('NAME', name)
    .replaceAll('NUMBER', String(10 + Math.floor(random() * 9000)))
    .replaceAll('LANGUAGE', one('Go Rust Java Python Kotlin'))
    .replaceAll('PERSON', one('Alice Bob Chen Dora Emil Farid'))
    .replaceAll('DAY', one('Monday Tuesday Wednesday Thursday'))
    .replaceAll('STORE', one('Postgres MySQL Redis S3'))
}
