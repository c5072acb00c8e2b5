import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Everything below a directory: names, what they are, modes, times and a hash of what they hold. */
export function treeOf(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted()
  return Object.fromEntries(
    ['', ...names].map(name => {
      const path = join(root, name)
      const stats = lstatSync(path)
      const held = stats.isFile()
        ? createHash('sha256').update(readFileSync(path)).digest('hex')
        : 'directory'
      return [relative(root, path) || '.', `${stats.mode} ${stats.mtimeMs} ${held}`]
    }),
  )
}
