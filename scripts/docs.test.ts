import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { COMMANDS } from '../src/cli/commands.ts'

const DOCS = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/*.md')]

test.each(DOCS)('%s has no leftovers, and every link in it leads somewhere', file => {
  const text = readFileSync(file, 'utf8')
  expect(text).not.toMatch(/@@|TODO|TBD/)
  for (const [, target = ''] of text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g))
    if (!target.includes('://') && !/^(file|user_|a)\b.*\.md$/.test(target))
      expect(existsSync(join(dirname(file), target)), target).toBe(true)
})

test('what the documents name exists: commands, scripts, benchmarks and tortures', () => {
  const text = DOCS.map(file => readFileSync(file, 'utf8')).join('\n')
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  for (const [, name = ''] of text.matchAll(/(?:^|`|\$ |bin\/)reverie ([a-z]+)/gm))
    expect(Object.keys(COMMANDS).concat('help')).toContain(name)
  for (const [, name = ''] of text.matchAll(/npm run ([a-z]+)/g)) expect(Object.keys(scripts)).toContain(name)
  for (const [, name = ''] of text.matchAll(/npm run bench -- ([a-z]+)/g))
    expect(existsSync(`bench/${name}.bench.ts`), name).toBe(true)
  for (const [, name = ''] of text.matchAll(/npm run torture -- ([a-z]+)/g))
    expect(existsSync(`torture/${name}.torture.ts`), name).toBe(true)
})
