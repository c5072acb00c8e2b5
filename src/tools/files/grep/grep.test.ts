import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../../store/temporary-directory.fixture.ts'
import { context } from '../agent.fixture.ts'
import type { GrepEngine } from './engine.ts'
import { grepTool } from './grep.ts'
import { ownEngine } from './own-engine.ts'
import { hasRipgrep, ripgrep } from './ripgrep.ts'

const engines: Array<[string, GrepEngine]> = [
  ['own', ownEngine()],
  ...((await hasRipgrep()) ? [['ripgrep', ripgrep()] as [string, GrepEngine]] : []),
]

function place(files: Record<string, string | Uint8Array>) {
  const root = realpathSync(temporaryDirectory())
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return (input: unknown, engine?: GrepEngine, signal = context.signal) => {
    const tool = grepTool({ workspace: { root, directory: root, outputs: root }, ...(engine && { engine }) })
    return tool.run(tool.input.parse(input), { ...context, signal }).then(({ text }) => text)
  }
}

test.each(engines)('files, lines and counts, by %s', async (_, engine) => {
  const grep = place({
    'a.ts': 'one\ntwo needle\nthree\nfour\nfive\nneedle\n',
    'b/c.md': 'Needle\nneedle needle\n',
    'd.bin': Buffer.from('needle\0'),
  })
  expect(await grep({ pattern: 'needle' }, engine)).toBe('a.ts\nb/c.md')
  expect(await grep({ pattern: 'needle', output: 'lines' }, engine)).toBe(
    'a.ts\n2:two needle\n6:needle\n\nb/c.md\n2:needle needle',
  )
  expect(await grep({ pattern: 'needle', output: 'lines', context: 1, glob: '*.ts' }, engine)).toBe(
    'a.ts\n1-one\n2:two needle\n3-three\n--\n5-five\n6:needle',
  )
  expect(await grep({ pattern: 'needle', output: 'count', caseInsensitive: true }, engine)).toBe(
    'a.ts: 2\nb/c.md: 2\n\n4 in all',
  )
  expect(await grep({ pattern: 'needle', type: 'md' }, engine)).toBe('b/c.md')
  expect(await grep({ pattern: 'needle', path: 'b' }, engine)).toBe('b/c.md')
  expect(await grep({ pattern: 'needle', path: 'a.ts' }, engine)).toBe('a.ts')
  expect(await grep({ pattern: 'needle', output: 'lines', limit: 2 }, engine)).toBe(
    'a.ts\n2:two needle\n6:needle\n\n[Cut after 2 lines; there are more.]',
  )
  expect(await grep({ pattern: 'needle', limit: 1 }, engine)).toContain('[Cut after 1 files')
  expect(await grep({ pattern: 'two.*three', multiline: true, output: 'lines' }, engine)).toBe(
    'a.ts\n2:two needle\n3:three',
  )
  expect(await grep({ pattern: 'haystack' }, engine)).toBe('Nothing matches "haystack".')
})

test.each(engines)('of a long line, what stands around the match, by %s', async (_, engine) => {
  const grep = place({ 'min.js': `${'a'.repeat(4_000)}needle${'b'.repeat(4_000)}` })
  const text = await grep({ pattern: 'needle', output: 'lines' }, engine)
  expect(text).toMatch(/^min\.js\n1:…a{100}needleb{394}… \[8006 characters\]$/)
})

test('what cannot be searched for or in is refused with a reason', async () => {
  const grep = place({ a: 'x' })
  await expect(grep({ pattern: '(' })).rejects.toThrow('not closed')
  await expect(grep({ pattern: 'a(?=b)' })).rejects.toThrow('looking ahead')
  await expect(grep({ pattern: 'x', type: 'cobol' })).rejects.toThrow('There are: c, cpp')
  await expect(grep({ pattern: 'x', path: 'none' })).rejects.toThrow('not there')
})

test('a catastrophic pattern is given up, told, and does not hang', async () => {
  const evil = `${'a'.repeat(60)}!`
  const grep = place({ 'a.txt': evil, 'b.txt': 'aaa', 'c.txt': evil, 'd.txt': evil })
  const began = performance.now()
  const text = await grep({ pattern: '^(a+)+$' }, ownEngine(300))
  expect(text).toContain('b.txt')
  expect(text).toContain('takes too long, first in a.txt')
  expect(performance.now() - began).toBeLessThan(10_000)
})

test('an interrupted search ends at once', async () => {
  const grep = place({ 'a.txt': `${'a'.repeat(60)}!` })
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 200)
  await expect(grep({ pattern: '^(a+)+$' }, ownEngine(600_000), stop.signal)).rejects.toThrow()
})

test('ripgrep that is not there, or that fails, is not needed', async () => {
  expect(await hasRipgrep('no-such-program')).toBe(false)
  await expect(ripgrep('no-such-program')(['x'], queryFor('x'), context.signal)).rejects.toThrow('ripgrep')
  await expect(ripgrep()(['x'], queryFor('('), context.signal)).rejects.toThrow('ripgrep')
})

function queryFor(rust: string) {
  return { javascript: { source: 'x', flags: 'gv' }, rust, multiline: false, mostPerFile: 1 }
}

test.each(engines)(
  'files with credentials are searched only when they are named, by %s',
  async (_, engine) => {
    const grep = place({ 'a.txt': 'needle', '.env': 'KEY=needle', 'keys/id_rsa': 'needle' })
    expect(await grep({ pattern: 'needle' }, engine)).toBe('a.txt')
    expect(await grep({ pattern: 'needle', path: '.env' }, engine)).toBe('.env')
  },
)
