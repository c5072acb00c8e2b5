import { stat } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { z } from 'zod'
import { defineTool, type Tool } from '../tool.ts'
import type { Workspace } from '../workspace.ts'
import { parseGlob } from './glob-pattern.ts'
import { CannotRead } from './open-file.ts'
import { shownPath, toAbsolute, touching } from './path.ts'
import { walk } from './walk.ts'

const MOST_FOUND = 200
/** Files whose age is looked at; in a tree with more matches than this, a narrower pattern is needed. */
const MOST_COMPARED = 50_000
const STATS_AT_ONCE = 64

export function globTool(workspace: Workspace): Tool {
  const start = (pattern: string, path: string | undefined) =>
    parseGlob(pattern, path === undefined ? workspace.directory : toAbsolute(path, workspace))
  return defineTool({
    name: 'glob',
    description:
      'Finds files by a pattern such as "src/**/*.ts" or "**/*.{md,txt}", the newest first, 200 at most. ' +
      'What .gitignore names, .git and node_modules are passed over unless the pattern or path names them.',
    input: z.object({
      pattern: z.string().describe('** stands for any directories, * for anything in one name'),
      path: z.string().optional().describe('the directory to begin in; the working directory unless told'),
    }),
    readOnly: true,
    touches: ({ pattern, path }) => touching('read', () => [start(pattern, path).base]),
    async run({ pattern, path }, { signal }) {
      const { base, matches, named } = start(pattern, path)
      const stats = await stat(base).catch(() => undefined)
      if (!stats?.isDirectory())
        throw new CannotRead(
          `${shownPath(base, workspace)} is not a directory, so nothing can be found below it.`,
        )
      const found: string[] = []
      let cut = false
      for await (const { path } of walk(base, { signal, named })) {
        if (!matches(relative(base, path).split(sep).join('/'))) continue
        if (found.length === MOST_COMPARED) {
          cut = true
          break
        }
        found.push(path)
      }
      return { text: tell(await newestFirst(found), pattern, workspace, cut) }
    },
  })
}

async function newestFirst(paths: readonly string[]): Promise<string[]> {
  const dated: Array<{ path: string; at: number }> = []
  for (let from = 0; from < paths.length; from += STATS_AT_ONCE) {
    const some = paths.slice(from, from + STATS_AT_ONCE).map(async path => {
      const stats = await stat(path).catch(() => undefined)
      // A link that leads nowhere is not a file, nor is one to a directory.
      return stats?.isFile() ? [{ path, at: stats.mtimeMs }] : []
    })
    dated.push(...(await Promise.all(some)).flat())
  }
  return dated.sort((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1)).map(({ path }) => path)
}

function tell(paths: readonly string[], pattern: string, workspace: Workspace, cut: boolean): string {
  if (paths.length === 0) {
    const anywhere = pattern.includes('/') ? '' : ` To look in all directories: "**/${pattern}".`
    return `No file matches "${pattern}".${anywhere}`
  }
  const shown = paths.slice(0, MOST_FOUND).map(path => shownPath(path, workspace))
  const all = cut ? `more than ${MOST_COMPARED}` : paths.length
  const rest =
    paths.length > MOST_FOUND
      ? [`\n[The newest ${MOST_FOUND} of ${all} files. Use a narrower pattern for others.]`]
      : []
  return [...shown, ...rest].join('\n')
}
