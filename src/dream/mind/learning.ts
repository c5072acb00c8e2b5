/** What the owner said in sessions and no memory says yet; from what others said, only what is there, as theirs. */
import {
  exclusionOf,
  fileNames,
  findSecrets,
  type Origin,
  printEntry,
  stamp,
  withAbsoluteDates,
} from '../../memory/index.ts'
import { type Statement, statementReader } from '../../models/index.ts'
import type { DreamMaterial, DreamMemory } from '../dreamer.ts'
import type { Board } from './board.ts'
import { looksInjected } from './injection.ts'
import { isCovered, readMemory } from './reading.ts'

interface Heard {
  text: string
  at: Date
  session?: string
  origin: Origin
  /** Read as the words of somebody, rather than only looked at for what it tries. */
  speaks: boolean
}

export async function learn(material: DreamMaterial, board: Board): Promise<void> {
  const statementsIn = await statementReader()
  for (const heard of heardIn(material)) {
    // Only the owner is at liberty to say what they like: instructions from elsewhere are reported and left there.
    if (looksInjected(heard.text, heard.origin)) {
      const where = heard.session === undefined ? 'the history' : `session ${heard.session}`
      board.findings.push({
        kind: 'injection',
        files: [],
        detail: `instructions in ${where} that are not the owner's were passed over`,
      })
      continue
    }
    if (!heard.speaks) continue
    for (const statement of statementsIn(heard.text, heard.at))
      await keep(board, heard, statement, material.instructions)
  }
}

function* heardIn({ turns, history, logs, now }: DreamMaterial): Generator<Heard> {
  for (const { text, at, session, origin, role } of turns.toSorted((a, b) =>
    a.at < b.at ? -1 : a.at > b.at ? 1 : 0,
  )) {
    const person = origin === 'person' && role === 'user'
    yield { text, at: dateOr(at, now), session, origin: person ? 'owner' : 'tool', speaks: person }
  }
  for (const { content, timestamp } of history)
    yield { text: content, at: dateOr(timestamp.replace(' ', 'T'), now), origin: 'agent', speaks: true }
  for (const { text, path } of logs)
    yield {
      text: withoutTimes(text),
      at: dateOr(/\d{4}-\d{2}-\d{2}/.exec(path)?.[0] ?? '', now),
      origin: 'agent',
      speaks: true,
    }
}

/** The sentences of a daily log: its heading, and when each was noted, are none. */
function withoutTimes(log: string): string {
  return log.replaceAll(/^# .*$/gm, '').replaceAll(/^- \d{2}:\d{2} /gm, '')
}

function dateOr(written: string, otherwise: Date): Date {
  const date = new Date(written)
  return Number.isNaN(date.getTime()) || date > otherwise ? otherwise : date
}

async function keep(
  board: Board,
  { at, session, origin }: Heard,
  statement: Statement,
  instructions: readonly string[] = [],
): Promise<void> {
  const { type } = statement
  // Who the owner is and how they want it only they can say.
  if (origin !== 'owner' && (type === 'user' || type === 'feedback')) return
  const [name, description, body] = [statement.name, statement.description, statement.body].map(
    text => withAbsoluteDates(text, at).text,
  )
  if (
    name === undefined ||
    description === undefined ||
    body === undefined ||
    exclusionOf({ name, description, body }, instructions)
  )
    return
  if ((await findSecrets(`${name}\n${description}\n${body}`)).length > 0) {
    board.findings.push({
      kind: 'secret',
      files: [],
      detail: 'what was said holds a secret, which is not kept',
    })
    return
  }
  const file = nextFile(board, type, name)
  if (file === undefined) return
  const entry = {
    name,
    description,
    type,
    origin,
    body,
    pinned: false,
    supersedes: [],
    created: stamp(at),
    updated: stamp(at),
    sources: session === undefined ? [] : [session],
  }
  const memory: DreamMemory = { ...entry, file, text: printEntry(entry), confirmed: at, created: at }
  const said = readMemory(memory)
  const known = board.all().some(each => {
    const reading = board.reading(each.file)
    return reading !== undefined && isCovered(said, reading)
  })
  if (known) return
  board.create(memory, session === undefined ? 'from the history' : `said in session ${session}`)
  board.findings.push({ kind: 'add', files: [file], detail: description, target: 'MEMORY' })
  board.learnt.push(description)
}

/** Undefined when the owner has undone that very memory before. */
function nextFile(board: Board, type: DreamMemory['type'], name: string): string | undefined {
  for (const file of fileNames(type, name)) {
    if (board.isFrozen(file)) return undefined
    if (!board.has(file)) return file
  }
  return undefined
}
