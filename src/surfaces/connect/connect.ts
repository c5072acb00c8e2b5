/** Puts Reverie's memory into another agent: what would change is planned first, shown, and then written. */
import { existsSync } from 'node:fs'
import type { Home } from '../../config/index.ts'
import { contentHash, ReverieError } from '../../store/index.ts'
import { CannotEdit } from './cannot-edit.ts'
import { type ConnectedFile, Connections } from './connection.ts'
import type { Machine } from './machine.ts'
import type { OtherAgent, Settings } from './other-agent.ts'
import {
  assertWritable,
  type FileContent,
  readSettings,
  removeSettings,
  writeSettings,
} from './settings-file.ts'
import { isEmptied, likelyMade, NOTHING_MADE, putIn, switchedOffBy, takeOut } from './text/pieces.ts'

class NoSuchAgent extends ReverieError {}

/** What will be done to one file. */
export interface FileChange {
  path: string
  before: string | null
  after: string | null
}

export interface Plan {
  changes: FileChange[]
  /** What there is to say beside it. */
  notes: string[]
  /** Does it. Nothing is written when a file is no longer what it was when the plan was made. */
  apply(): Promise<void>
}

interface Context {
  agent: OtherAgent
  machine: Machine
  home: Home
  now?: () => Date
}

interface PlannedFile {
  settings: Settings
  current: FileContent | undefined
  after: string
  /** What the file is without us; null for no file at all. */
  without: Uint8Array | null
  known: ConnectedFile | undefined
  made: ConnectedFile['made']
}

export async function planConnect({ agent, machine, home, now = () => new Date() }: Context): Promise<Plan> {
  if (!existsSync(agent.directory(machine)))
    throw new NoSuchAgent(
      `${agent.name} was not found on this machine: there is no ${agent.directory(machine)}. Start it once, then connect it.`,
    )
  const connections = new Connections(home)
  const known = await connections.read(agent.id)
  const planned: PlannedFile[] = []
  const notes: string[] = []
  for (const settings of agent.settings(machine)) {
    const before = known?.files.find(({ path }) => path === settings.path)
    if (settings.pieces.length === 0 && !before) continue
    planned.push(
      await saying(settings.path, async () => {
        const current = await readSettings(settings.path)
        const made = before?.made ?? NOTHING_MADE
        const { byHand, ...put } = putIn(current?.text ?? '', settings, made)
        if (put.text !== current?.text) await assertWritable(settings.path, agent.directory(machine), machine)
        for (const path of byHand)
          notes.push(`${path.join('.')} in ${settings.path} was written by hand; it is left as it is.`)
        const off = switchedOffBy(put.text, settings)
        if (off)
          notes.push(`${settings.path} switches all hooks off (${off.join('.')}); ours are not run either.`)
        const without =
          before && before.written === current?.hash
            ? before.backup === null
              ? null
              : await connections.kept(before.backup)
            : current && Buffer.from(takeOut(current.text, settings, made))
        return { settings, current, after: put.text, without: without ?? null, known: before, made: put.made }
      }),
    )
  }
  return {
    changes: planned.flatMap(({ settings, current, after }) =>
      after === (current?.text ?? '') ? [] : [{ path: settings.path, before: current?.text ?? null, after }],
    ),
    notes,
    async apply() {
      if (known && planned.every(({ current, after }) => after === (current?.text ?? ''))) return
      const files: ConnectedFile[] = []
      for (const { settings, without, after, made } of planned)
        files.push({
          path: settings.path,
          backup: without === null ? null : await connections.keep(agent.id, without),
          written: contentHash(after),
          made,
        })
      // First what it takes to undo it.
      await connections.write({ agent: agent.id, at: now().toISOString(), files })
      for (const { settings, current, after } of planned)
        if (after !== (current?.text ?? '')) await writeSettings(settings.path, after, current)
    },
  }
}

/** Takes it out again: the very bytes from before, unless somebody else wrote there meanwhile. */
export async function planDisconnect({ agent, machine, home }: Context): Promise<Plan> {
  const connections = new Connections(home)
  const known = await connections.read(agent.id)
  const all = agent.settings(machine)
  const paths = new Set([...all.map(({ path }) => path), ...(known?.files ?? []).map(({ path }) => path)])
  const changes: Array<FileChange & { current: FileContent; bytes: Uint8Array | null }> = []
  for (const path of paths) {
    const file = known?.files.find(each => each.path === path)
    const settings = all.find(each => each.path === path) ?? likeness(path)
    const change = await saying(path, async () => {
      const current = await readSettings(path)
      if (!current) return undefined
      const bytes = await withoutUs(current, settings, file, connections)
      if (bytes !== null && current.bytes.equals(bytes)) return undefined
      await assertWritable(path, agent.directory(machine), machine)
      return { path, before: current.text, after: bytes?.toString() ?? null, current, bytes }
    })
    if (change) changes.push(change)
  }
  return {
    changes: changes.map(({ path, before, after }) => ({ path, before, after })),
    notes: [],
    async apply() {
      for (const { path, current, bytes } of changes)
        if (bytes === null) await removeSettings(path)
        else await writeSettings(path, bytes, current)
      connections.forget(agent.id)
    },
  }
}

async function withoutUs(
  current: FileContent,
  settings: Settings,
  file: ConnectedFile | undefined,
  connections: Connections,
): Promise<Buffer | null> {
  if (file && file.written === current.hash)
    return file.backup === null ? null : await connections.kept(file.backup)
  const left = takeOut(current.text, settings, file?.made ?? likelyMade(current.text, settings))
  return file?.backup === null && isEmptied(left, settings) ? null : Buffer.from(left)
}

/** A file that nothing of ours would be put into any more. */
function likeness(path: string): Settings {
  return { path, format: path.endsWith('.toml') ? 'toml' : 'json', pieces: [] }
}

/** Says which file it is that cannot be edited. */
async function saying<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CannotEdit)) throw error
    throw new CannotEdit(`${path} is left as it is: ${error.message}. Nothing was written.`, { cause: error })
  }
}
