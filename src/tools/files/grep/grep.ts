import { stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import { findProgram } from '../../find-program.ts'
import { isSecretFile } from '../../protected.ts'
import { defineTool, type Tool } from '../../tool.ts'
import type { Workspace } from '../../workspace.ts'
import { filterMatcher, namedIn } from '../glob-pattern.ts'
import { CannotRead } from '../open-file.ts'
import { shownPath, toAbsolute, toReal, touching } from '../path.ts'
import { walk } from '../walk.ts'
import { toJavaScript, toRust } from './dialect.ts'
import type { GrepEngine, GrepQuery, Hit } from './engine.ts'
import { typeMatcher } from './file-types.ts'
import { ownEngine } from './own-engine.ts'
import { parsePattern } from './pattern.ts'
import { RipgrepFailed, ripgrep } from './ripgrep.ts'
import { showLines } from './show-lines.ts'

const OUTPUTS = ['files', 'lines', 'count'] as const
const USUAL_LIMITS = { files: 200, lines: 250, count: 200 }
const MOST_ASKED_FOR = 5_000
const MOST_CONTEXT = 50
const TIME_MS = 30_000
/** Files given to an engine at once, fewer first so that what is found soon is told soon. */
const FIRST_BATCH = 300
const BATCH = 2_000
/** What a command may be given, with room to spare on every system. */
const BATCH_CHARACTERS = 200_000

const input = z.object({
  pattern: z.string().describe('a regular expression, or plain text with \\ before . * + ? ( ) [ | ^ $'),
  path: z.string().optional().describe('a directory or file; the working directory unless told'),
  glob: z
    .string()
    .optional()
    .describe('only files like this, such as "*.ts" or "src/**/*.md"; with ! in front, others'),
  type: z.string().optional().describe('only files of this type, such as ts, py, md'),
  output: z
    .enum(OUTPUTS)
    .optional()
    .describe('files: paths (usual); lines: the lines; count: how many lines in each'),
  context: z.int().min(0).max(MOST_CONTEXT).optional().describe('lines to show before and after'),
  caseInsensitive: z.boolean().optional(),
  multiline: z.boolean().optional().describe('matches may go over several lines, and . means line ends, too'),
  limit: z.int().min(1).max(MOST_ASKED_FOR).optional().describe('how many files or lines at most'),
})

export interface GrepOptions {
  workspace: Workspace
  /** Whether a file in a directory that is searched may be read; any may unless told. */
  maySearch?: ((path: string) => boolean) | undefined
  /** For tests; ripgrep where it is installed, else our own. */
  engine?: GrepEngine
  timeMs?: number
}

export function grepTool({ workspace, engine, timeMs = TIME_MS, maySearch = () => true }: GrepOptions): Tool {
  let chosen = engine && Promise.resolve(engine)
  const engineFor = () => {
    chosen ??= chooseEngine(workspace)
    return chosen
  }
  const start = (path: string | undefined) => toAbsolute(path ?? '.', workspace)
  return defineTool({
    name: 'grep',
    description:
      'Searches the contents of files for a regular expression and tells the files, the lines or how many, in the order of ' +
      'their paths. Binary files, what .gitignore names, .git, node_modules and files with credentials are passed over unless the path names them.',
    input,
    readOnly: true,
    touches: ({ path }) => touching('read', () => [start(path)]),
    async run(asked, { signal }) {
      const query = queryFor(asked)
      const base = start(asked.path)
      const search = new Search(await engineFor(), query, limitOf(asked), asked.output ?? 'files')
      const within = AbortSignal.any([signal, AbortSignal.timeout(timeMs)])
      try {
        for await (const files of batches(filesToSearch(base, asked, within, { workspace, maySearch })))
          if (await search.go(files, within)) break
      } catch (error) {
        signal.throwIfAborted()
        if (!within.aborted) throw error
        search.ranOut = true
      }
      return { text: await tell(search, asked, workspace) }
    },
  })
}

type Asked = z.output<typeof input>

/** One that lies in the project is the project's, whatever it calls itself. */
async function chooseEngine({ root }: Workspace): Promise<GrepEngine> {
  const own = ownEngine()
  const program = findProgram('rg', process.env.PATH, { outside: root })
  if (program === undefined) return own
  const faster = ripgrep(program)
  return async (files, query, signal) => {
    try {
      return await faster(files, query, signal)
    } catch (error) {
      if (error instanceof RipgrepFailed) return own(files, query, signal)
      throw error
    }
  }
}

function limitOf({ limit, output = 'files' }: Asked): number {
  return limit ?? USUAL_LIMITS[output]
}

function queryFor(asked: Asked): GrepQuery {
  const { pattern: source, caseInsensitive = false, multiline = false, output = 'files' } = asked
  const pattern = parsePattern(source, { caseInsensitive, multiline })
  const mostPerFile =
    output === 'files' ? 1 : output === 'lines' ? limitOf(asked) + 1 : Number.POSITIVE_INFINITY
  return { javascript: toJavaScript(pattern), rust: toRust(pattern), multiline, mostPerFile }
}

async function* filesToSearch(
  base: string,
  { glob, type }: Asked,
  signal: AbortSignal,
  { workspace, maySearch }: { workspace: Workspace; maySearch: (path: string) => boolean },
): AsyncGenerator<string> {
  const matchers = [
    ...(glob === undefined ? [] : [filterMatcher(glob)]),
    ...(type === undefined ? [] : [typeMatcher(type)]),
  ]
  const stats = await stat(base).catch(() => undefined)
  if (stats?.isFile()) {
    yield base
    return
  }
  if (!stats?.isDirectory())
    throw new CannotRead(
      `${shownPath(base, workspace)} is ${stats ? 'neither a file nor a directory' : 'not there'}.`,
    )
  const real = await toReal(base)
  for await (const { path, link } of walk(base, { signal, named: namedIn(glob ?? '') })) {
    const way = relative(base, path).split(sep).join('/')
    // Allowed to be searched is the directory; keys in it are for whoever asks for their file.
    if (link || !matchers.every(matches => matches(way))) continue
    const really = join(real, way)
    if (!isSecretFile(really) && maySearch(really)) yield path
  }
}

async function* batches(files: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = []
  let [most, characters] = [FIRST_BATCH, 0]
  for await (const file of files) {
    batch.push(file)
    characters += file.length + 1
    if (batch.length < most && characters < BATCH_CHARACTERS) continue
    yield batch
    batch = []
    most = BATCH
    characters = 0
  }
  if (batch.length > 0) yield batch
}

/** What was found so far. */
class Search {
  readonly found: Array<{ file: string; hits: readonly Hit[] }> = []
  readonly tooSlow: string[] = []
  ranOut = false
  /** There is more than was asked for. */
  cut = false
  #engine: GrepEngine
  #query: GrepQuery
  #limit: number
  #byLine: boolean
  #taken = 0

  constructor(engine: GrepEngine, query: GrepQuery, limit: number, output: (typeof OUTPUTS)[number]) {
    this.#engine = engine
    this.#query = query
    this.#limit = limit
    this.#byLine = output === 'lines'
  }

  /** True when it is enough. */
  async go(files: readonly string[], signal: AbortSignal): Promise<boolean> {
    const { hits, tooSlow } = await this.#engine(files, this.#query, signal)
    this.tooSlow.push(...tooSlow)
    for (const file of files) {
      const lines = hits.get(file)
      if (lines) this.#take(file, lines)
      if (this.cut) return true
    }
    // The rest would take as long, one file after the other.
    return this.tooSlow.length > 1
  }

  #take(file: string, lines: readonly Hit[]): void {
    const room = this.#limit - this.#taken
    const wanted = this.#byLine ? lines.slice(0, room) : lines
    this.cut = room <= 0 || (this.#byLine && lines.length > room)
    if (room <= 0) return
    this.#taken += this.#byLine ? wanted.length : 1
    this.found.push({ file, hits: wanted })
  }
}

async function tell(search: Search, asked: Asked, workspace: Workspace): Promise<string> {
  const { found, cut, ranOut, tooSlow } = search
  const { output = 'files', context = 0, pattern } = asked
  const notes: string[] = []
  if (cut)
    notes.push(`Cut after ${limitOf(asked)} ${output === 'lines' ? 'lines' : 'files'}; there are more.`)
  if (ranOut)
    notes.push('The time ran out before all files were searched. Give a narrower path, glob or pattern.')
  const [slow] = tooSlow
  if (slow !== undefined)
    notes.push(
      `The pattern takes too long, first in ${shownPath(slow, workspace)}; ${tooSlow.length} files or more were not searched. Use a pattern without nested repetitions.`,
    )
  const note = notes.length > 0 ? `\n\n[${notes.join(' ')}]` : ''
  if (found.length === 0) return `Nothing matches ${JSON.stringify(pattern)}.${note}`
  const name = (file: string) => shownPath(file, workspace)
  if (output === 'files') return found.map(({ file }) => name(file)).join('\n') + note
  if (output === 'count') {
    const total = found.reduce((sum, { hits }) => sum + hits.length, 0)
    return `${found.map(({ file, hits }) => `${name(file)}: ${hits.length}`).join('\n')}\n\n${total} in all${note}`
  }
  const shown: string[] = []
  for (const { file, hits } of found) shown.push(`${name(file)}\n${await showLines(file, hits, context)}`)
  return shown.join('\n\n') + note
}
