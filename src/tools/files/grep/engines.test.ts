/** Both engines find the same, in whatever they are given. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../../store/temporary-directory.fixture.ts'
import { context } from '../agent.fixture.ts'
import type { GrepEngine } from './engine.ts'
import { grepTool } from './grep.ts'
import { ownEngine } from './own-engine.ts'
import { hasRipgrep, ripgrep } from './ripgrep.ts'

const RUNS = Number(process.env.REVERIE_GREP_TREES ?? 5)
const installed = await hasRipgrep()

function searcher(root: string, engine: GrepEngine) {
  const tool = grepTool({ workspace: { root, directory: root, outputs: root }, engine })
  return async (input: unknown) => (await tool.run(tool.input.parse(input), context)).text
}

const piece = fc.oneof(
  {
    arbitrary: fc.constantFrom('foo', 'bar', 'Foo', 'x', ' ', '\t', '(', '{}', 'ä', '漢字', '😀', 'K', 'ſ'),
    weight: 10,
  },
  { arbitrary: fc.constantFrom('\n', '\r\n', '\n\n', '\r'), weight: 6 },
  { arbitrary: fc.constant('y'.repeat(3_000)), weight: 1 },
)
const text = fc.array(piece, { maxLength: 30 }).map(pieces => Buffer.from(pieces.join('')))
const content = fc.oneof(
  { arbitrary: text, weight: 8 },
  { arbitrary: text.map(bytes => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])), weight: 1 },
  { arbitrary: text.map(bytes => Buffer.from(`\ufeff${bytes.toString()}`, 'utf16le')), weight: 1 },
  { arbitrary: fc.tuple(text, text).map(([a, b]) => Buffer.concat([a, Buffer.from([0]), b])), weight: 1 },
  {
    arbitrary: fc.tuple(text, text).map(([a, b]) => Buffer.concat([a, Buffer.from([0xff, 0xc3]), b])),
    weight: 2,
  },
)
const name = fc.constantFrom(
  'a.ts',
  'b.md',
  '.hidden',
  'sub/c.ts',
  'sub/.env',
  'sub/deep/d.log',
  'keep/e.log',
  'out/f.ts',
  'node_modules/g.ts',
  'ä ö.txt',
)
const tree = fc.uniqueArray(fc.tuple(name, content), {
  minLength: 1,
  maxLength: 8,
  selector: ([path]) => path,
})
const rules = fc.subarray(['*.log', '!keep/*.log', 'out/', '/sub/deep', '.env', 'b.*'])

const PATTERNS = [
  'foo',
  'fo+',
  '^foo',
  'foo$',
  '^$',
  '^',
  'x*',
  '\\bfoo\\b',
  '\\bx',
  '[^a-z\\s]',
  '\\w+',
  '\\W',
  '\\s$',
  'foo.bar',
  'k',
  's',
  '(foo|bar)+',
  '[[:alpha:]]{3}',
  '\\p{Han}|\\p{So}',
  '\\{\\}|\\(',
  'y{100,}',
  '.\\r?$',
  'Foo\\tx',
]
const ACROSS = [
  'foo\\nbar',
  'foo.*bar',
  'foo\\s+x',
  '(?:x\\r?\\n)+',
  '$\\n^',
  '\\n',
  'x*',
  'bar.*?foo',
  '\\n\\n',
  '\\s+',
  '^x',
]

const query = fc
  .record({
    multiline: fc.boolean(),
    which: fc.nat(),
    output: fc.constantFrom('files', 'lines', 'count'),
    context: fc.constantFrom(0, 1),
    caseInsensitive: fc.boolean(),
    limit: fc.constantFrom(undefined, 1, 3),
    glob: fc.constantFrom(undefined, '*.ts', '!*.md', 'sub/**'),
  })
  .map(({ which, multiline, limit, glob, ...rest }) => {
    const from = multiline ? ACROSS : PATTERNS
    return {
      pattern: from[which % from.length],
      multiline,
      ...rest,
      ...(limit && { limit }),
      ...(glob && { glob }),
    }
  })

test.runIf(installed)(`ripgrep and our own search agree on ${RUNS} trees`, async () => {
  const parent = realpathSync(temporaryDirectory())
  let count = 0
  await fc.assert(
    fc.asyncProperty(
      tree,
      rules,
      fc.array(query, { minLength: 4, maxLength: 6 }),
      async (files, ignored, queries) => {
        const root = join(parent, String(count++))
        for (const [path, bytes] of files) {
          mkdirSync(dirname(join(root, path)), { recursive: true })
          writeFileSync(join(root, path), bytes)
        }
        writeFileSync(join(root, '.gitignore'), ignored.join('\n'))
        const [one, other] = [searcher(root, ripgrep()), searcher(root, ownEngine())]
        for (const each of queries) expect(await other(each)).toBe(await one(each))
        rmSync(root, { recursive: true })
      },
    ),
    { numRuns: RUNS },
  )
})

test.runIf(installed)('what we pass over is what ripgrep itself would pass over', async () => {
  const root = realpathSync(temporaryDirectory())
  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  execFileSync('git', ['init', '-q', root])
  for (const path of [
    'a.ts',
    '.b',
    'x/c.log',
    'x/keep.log',
    'out/d',
    'deep/out/e',
    'deep/f.tmp',
    'deep/er/g.tmp',
    'h#',
    'sp ace',
  ])
    put(path, 'needle\n')
  put('.gitignore', '# comment\n*.log\n!keep.log\n/out/\ndeep/*.tmp\n\\#h\nsp\\ ace\n')
  put('deep/er/.gitignore', '!g.tmp\n')
  put('.git/info/exclude', '.b\n')
  symlinkSync('a.ts', join(root, 'link'))
  const args = ['--files-with-matches', '--hidden', '--glob', '!.git', '--sort', 'path', 'needle', '.']
  const theirs = execFileSync('rg', args, { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(path => path.slice(2))
  expect((await searcher(root, ownEngine())({ pattern: 'needle' })).split('\n')).toEqual(theirs)
  expect((await searcher(root, ripgrep())({ pattern: 'needle' })).split('\n')).toEqual(theirs)
})
