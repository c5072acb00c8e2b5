import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProject, homeAt } from '../../config/index.ts'
import { type Message, Sessions } from '../../session/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { type ImportOptions, importFrom } from './import.ts'
import type { Told } from './source.ts'

/** A fresh home and a project, and imports into them. */
export function freshHome() {
  const root = temporaryDirectory()
  const home = homeAt(join(root, 'home'))
  const directory = join(root, 'work')
  mkdirSync(directory)
  const project = findProject(directory)
  const run = (agent: ImportOptions['agent'], from: string, more: Partial<ImportOptions> = {}) =>
    importFrom({ agent, from, home, project, ...more })
  const sessions = new Sessions(home, project)
  /** As they stand in the file: what is there twice is told twice. */
  const messagesOf = async (id: string): Promise<Message[]> => {
    const lines = readFileSync(sessions.pathOf(id), 'utf8').trimEnd().split('\n')
    const records = lines.map(line => JSON.parse(line) as Message & { kind: string })
    return records.flatMap(({ kind, ...message }) => (kind === 'message' ? [message] : []))
  }
  return { root, home, project, directory, run, sessions, messagesOf }
}

export function messagesIn(told: readonly Told[]): Message[] {
  return told.flatMap(each => ('message' in each ? [each.message] : []))
}

/** A message in short: who, and what. */
export function inShort({ role, origin, parts }: Message): string {
  const said = parts.map(part =>
    part.type === 'tool-call'
      ? `call ${part.tool} ${JSON.stringify(part.input)}`
      : part.type === 'tool-result'
        ? `${part.outcome} ${part.tool} ${part.content.map(each => ('text' in each ? each.text : 'image')).join('')}`
        : part.type === 'image'
          ? 'image'
          : `${part.type === 'text' ? '' : `${part.type} `}${part.text}`,
  )
  return `${role}/${origin}: ${said.join(' | ')}`
}
