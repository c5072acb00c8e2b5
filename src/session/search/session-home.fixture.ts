import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import type { Message, Part } from '../message.ts'

/** A home with sessions that tests write as other programs would: line by line, or not quite. */
export class SessionHome {
  readonly root = temporaryDirectory()
  readonly projects = join(this.root, 'projects')
  readonly cache = join(this.root, 'cache')
  readonly database = join(this.cache, 'sessions.sqlite')
  #messages = 0

  path(session: string, project = 'demo'): string {
    return join(this.projects, project, 'sessions', `${session}.jsonl`)
  }

  /** Writes a session anew, or for the first time, with a message for each text. */
  write(session: string, texts: readonly (string | Partial<Message>)[], project?: string): string {
    const path = this.path(session, project)
    mkdirSync(join(path, '..'), { recursive: true })
    const header = { kind: 'session', format: 1, id: session, at: '2026-01-01T00:00:00.000Z' }
    writeFileSync(path, line(header) + this.lines(texts))
    return path
  }

  append(session: string, ...texts: (string | Partial<Message>)[]): void {
    appendFileSync(this.path(session), this.lines(texts))
  }

  remove(session: string): void {
    rmSync(this.path(session))
  }

  lines(texts: readonly (string | Partial<Message>)[]): string {
    return texts.map(text => line(this.#message(text))).join('')
  }

  #message(said: string | Partial<Message>): object {
    const id = `m${this.#messages++}`
    const at = '2026-03-04T05:06:07.000Z'
    const common = { kind: 'message', id, role: 'user', origin: 'person', at, parts: [] }
    return typeof said === 'string' ? { ...common, parts: [said].map(asText) } : { ...common, ...said }
  }
}

export function asText(text: string): Part {
  return { type: 'text', text }
}

export function line(record: unknown): string {
  return `${JSON.stringify(record)}\n`
}

/** All that the index holds, in an order and with names that do not depend on how it came to it. */
export function contentsOf(database: string): object {
  using db = new DatabaseSync(database, { readOnly: true })
  const all = (sql: string): unknown[] => db.prepare(sql).all()
  return {
    turns: all(`
      SELECT g.id, d.place % (1 << 22) AS at, filter_role, filter_project, filter_time, carried_offset, carried_bytes,
        carried_line, carried_check, prior, hex(terms) AS terms
      FROM turns_documents d JOIN turns_groups g ON g.number = d.place >> 22 ORDER BY 1, 2`),
    orphans: all(
      `SELECT place FROM turns_documents WHERE place >> 22 NOT IN (SELECT number FROM turns_groups)`,
    ),
    groups: all('SELECT id, documents, length FROM turns_groups ORDER BY id'),
    totals: all('SELECT documents, lengths FROM turns_totals'),
    words: all('SELECT term, doc FROM turns_vocabulary ORDER BY term'),
    files: all('SELECT name, consumed, lines, turns, head, tail, title FROM file ORDER BY name'),
  }
}
