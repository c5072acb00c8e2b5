import { existsSync } from 'node:fs'
import type { Home } from '../../config/index.ts'
import type { ImportLedger } from '../../memory/index.ts'
import {
  type Message,
  type SessionMeta,
  Sessions,
  type Transcript,
  textOf,
  titleFrom,
} from '../../session/index.ts'
import { sessionIdFor } from './ids.ts'
import type { Reporting } from './report.ts'
import type { SourceSession, Stamp } from './source.ts'

export interface SessionTarget {
  agent: string
  home: Home
  project: { slug: string; root?: string }
  ledger: ImportLedger
  dryRun: boolean
  now: () => Date
}

/** Each append waits for the disk: many messages go with one, as long as they are not too much at once. */
const BATCH_MESSAGES = 200
const BATCH_CHARACTERS = 8 * 1024 * 1024

/** What names a session in the ledger. */
export function ledgerId(session: SourceSession): string {
  return `session/${session.part ?? session.id}`
}

/** Brings a session up to date with its source. What was deleted here stays deleted. */
export async function importSession(
  session: SourceSession,
  target: SessionTarget,
  reporting: Reporting,
): Promise<void> {
  const { agent, home, project, ledger } = target
  const sessions = new Sessions(home, project)
  const id = sessionIdFor(agent, session.id)
  const isThere = existsSync(sessions.pathOf(id))
  const state = ledger.state(agent, ledgerId(session), stampText(session.stamp))
  if (state === 'unchanged' || (state === 'changed' && !isThere)) {
    reporting.sessions.unchanged++
    return
  }
  const known = new Set<string>()
  if (isThere) for await (const message of sessions.messages(id)) known.add(message.id)
  // A process that was killed may have made the file and written nothing.
  const exists = known.size > 0
  await using writer = new SessionWriter(session, id, exists, target)
  const reading = await readInto(writer, session, known, reporting)
  if (reading.messages === 0 && !exists) return
  await writer.flush()
  const outcome = !exists ? 'added' : writer.written > 0 ? 'updated' : 'unchanged'
  const read = { ...session.stamp, bytes: reading.bytes }
  if (reading.unfinished !== undefined) {
    // It was there before, just as it is now: nobody is writing it any more.
    const isOld = [false, true].some(
      problems => ledger.state(agent, ledgerId(session), stampText(read, problems)) === 'unchanged',
    )
    if (isOld) reporting.cannotRead(session.file, reading.unfinished)
  }
  const text = stampText(read, reading.problems > 0)
  if (outcome !== 'unchanged' || ledger.state(agent, ledgerId(session), text) !== 'unchanged') {
    await writer.finish(read, reading)
    if (!target.dryRun) await ledger.record(agent, ledgerId(session), text, null, target.now())
  }
  reporting.sessions[outcome]++
}

/** What is read with problems is read again with the next import, which tells them again. */
function stampText({ bytes, mtimeMs }: Stamp, hasProblems = false): string {
  return `${bytes} ${mtimeMs}${hasProblems ? ' with problems' : ''}`
}

interface Reading {
  messages: number
  problems: number
  title: string | undefined
  /** How a person began it. */
  beginning: string | undefined
  lastAt: string | undefined
  unfinished: string | undefined
  /** How much of it has been read. */
  bytes: number
}

async function readInto(
  writer: SessionWriter,
  session: SourceSession,
  known: Set<string>,
  reporting: Reporting,
): Promise<Reading> {
  const reading: Reading = {
    messages: 0,
    problems: 0,
    title: undefined,
    beginning: undefined,
    lastAt: undefined,
    unfinished: undefined,
    bytes: session.stamp.bytes,
  }
  for await (const told of session.read()) {
    if ('problem' in told) {
      reading.problems++
      reporting.cannotRead(session.file, told.problem)
    } else if ('leftOut' in told) reporting.leaveOut(told.leftOut)
    else if ('title' in told) reading.title = told.title
    else if ('unfinished' in told) {
      reading.unfinished = told.unfinished
      reading.bytes = told.bytes
    } else {
      const { message } = told
      reading.messages++
      if (message.origin === 'person') reading.beginning ??= titleFrom(textOf(message))
      if (reading.lastAt === undefined || message.at > reading.lastAt) reading.lastAt = message.at
      if (!known.has(message.id)) await writer.add(message)
      known.add(message.id)
    }
  }
  return reading
}

/** Writes what is new of a session. Nothing is opened before there is something to write. */
class SessionWriter implements AsyncDisposable {
  written = 0
  #session: SourceSession
  #id: string
  #exists: boolean
  #target: SessionTarget
  #transcript: Transcript | undefined
  #batch: Message[] = []
  #characters = 0

  constructor(session: SourceSession, id: string, exists: boolean, target: SessionTarget) {
    this.#session = session
    this.#id = id
    this.#exists = exists
    this.#target = target
  }

  async add(message: Message): Promise<void> {
    this.#batch.push(message)
    this.#characters += lengthOf(message)
    if (this.#batch.length >= BATCH_MESSAGES || this.#characters >= BATCH_CHARACTERS) await this.flush()
  }

  async flush(): Promise<void> {
    const batch = this.#batch
    const [first] = batch
    this.#batch = []
    this.#characters = 0
    if (!first) return
    this.written += batch.length
    if (!this.#target.dryRun) await (await this.#open(first.at)).append(...batch)
  }

  /** Says how far the source has been read, and what it is called. */
  async finish(stamp: Stamp, reading: Reading): Promise<void> {
    if (this.#target.dryRun) return
    const transcript = await this.#open(reading.lastAt)
    await transcript.note({
      ...titleNote(transcript.meta, reading),
      ...(reading.lastAt !== undefined && laterOf(transcript.meta, reading.lastAt)),
      imported: { path: this.#session.file, ...stamp },
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transcript?.close()
  }

  async #open(at: string | undefined): Promise<Transcript> {
    if (this.#transcript) return this.#transcript
    const { agent, home, project, now } = this.#target
    if (this.#exists) {
      const { transcript } = await new Sessions(home, project).resume(this.#id, { mend: false })
      this.#transcript = transcript
    } else {
      // It began when its first message was said, and not now.
      const began = at === undefined ? now() : new Date(at)
      const sessions = new Sessions(home, project, { now: () => began })
      this.#transcript = sessions.create({ id: this.#id, source: { agent, id: this.#session.id } })
    }
    return this.#transcript
  }
}

/** A name that somebody gave it here stays. */
function titleNote(meta: SessionMeta, { title, beginning }: Reading): Pick<SessionMeta, 'title'> {
  const isOurs = meta.title === undefined || meta.title === beginning
  return title !== undefined && isOurs ? { title } : {}
}

/** It may have gone on here after it was imported. */
function laterOf(meta: SessionMeta, at: string): Pick<SessionMeta, 'lastAt'> {
  return meta.lastAt === undefined || meta.lastAt < at ? { lastAt: at } : {}
}

function lengthOf({ parts }: Message): number {
  return parts.reduce((sum, part) => {
    if (part.type === 'image') return sum + part.data.length
    if (part.type === 'tool-result')
      return (
        sum +
        part.content.reduce((all, each) => all + (each.type === 'image' ? each.data : each.text).length, 0)
      )
    return sum + ('text' in part ? part.text.length : 0)
  }, 0)
}
