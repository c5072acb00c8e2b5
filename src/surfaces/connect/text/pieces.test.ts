import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OTHER_AGENTS } from '../agents/index.ts'
import type { Machine } from '../machine.ts'
import type { Settings } from '../other-agent.ts'
import { NASTY_JSON, NASTY_TOML } from '../settings.fixture.ts'
import { jsonValue } from './json-text.ts'
import { NOTHING_MADE, putIn, takeOut } from './pieces.ts'
import { tomlValue } from './toml-edit.ts'

const MACHINE: Machine = { home: '/nobody', env: {}, platform: 'linux', program: ['/a b/reverie'], flags: [] }
const FILES = OTHER_AGENTS.flatMap(agent =>
  agent
    .settings(MACHINE)
    .flatMap(file => (file.pieces.length > 0 ? [[`${agent.id} ${file.path}`, file] as const] : [])),
)

/** Put in, put in again, and taken out. */
function roundTrip(text: string, file: Settings) {
  const put = putIn(text, file, NOTHING_MADE)
  expect(putIn(put.text, file, put.made).text).toBe(put.text)
  return { ...put, back: takeOut(put.text, file, put.made) }
}

/** What the removal alone cannot know: then the copy from before is needed for the very bytes. */
const NOT_BYTE_FOR_BYTE = [
  'nothing at all',
  'an empty object with space',
  'an empty object over lines',
  'no end of line',
]

test.each(FILES)('%s: nothing but ours changes, whatever the file looks like', (_, file) => {
  for (const [name, text] of Object.entries(file.format === 'toml' ? NASTY_TOML : NASTY_JSON)) {
    const { text: put, back } = roundTrip(text, file)
    const value = file.format === 'toml' ? tomlValue : jsonValue
    if (name !== 'an entry made by hand') expect(put, name).not.toBe(text)
    expect(() => value(put), name).not.toThrow()
    // A version beside somebody's own hooks stays.
    if (name === 'other hooks' && file.path.endsWith('.cursor/hooks.json')) continue
    expect(value(back), name).toEqual(value(text))
    if (!NOT_BYTE_FOR_BYTE.includes(name)) expect(back, name).toBe(text)
    if (put.includes('\r\n')) expect(put.replaceAll('\r\n', ''), name).not.toContain('\n')
  }
})

const NAMES = fc.constantFrom(
  'hooks',
  'mcpServers',
  'mcp',
  'servers',
  'Stop',
  'stop',
  'a',
  'b c',
  'é "quoted"',
  '//',
)
const LEAVES = fc.oneof(fc.boolean(), fc.integer(), fc.constant(null), fc.string())
const { tree } = fc.letrec(tie => ({
  tree: fc.oneof({ depthSize: 'small' }, LEAVES, fc.array(tie('tree'), { maxLength: 3 }), tie('object')),
  object: fc.dictionary(NAMES, tie('tree'), { maxKeys: 4 }),
}))
const OBJECTS = fc.dictionary(NAMES, tree, { maxKeys: 4 })

interface Manner {
  unit: string
  eol: string
  comma: string
  remark: string
  compact: boolean
}

const MANNERS: fc.Arbitrary<Manner> = fc.record({
  unit: fc.constantFrom('  ', '\t', '   ', ''),
  eol: fc.constantFrom('\n', '\r\n'),
  comma: fc.constantFrom('', ','),
  remark: fc.constantFrom('', ' // so }', ' /* , */'),
  compact: fc.boolean(),
})

/** As somebody may have written it. */
function write(value: unknown, manner: Manner, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const { unit, eol, comma, remark, compact } = manner
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const inner = indent + unit
  const parts = Object.entries(value).map(([name, each]) => {
    const written = write(each, manner, inner)
    return Array.isArray(value) ? written : `${JSON.stringify(name)}: ${written}`
  })
  if (parts.length === 0) return `${open}${close}`
  if (compact) return `${open}${parts.join(', ')}${comma}${close}`
  const lines = parts.map((part, at) => `${inner}${part}${at < parts.length - 1 ? ',' : comma}${remark}`)
  return `${open}${eol}${lines.join(eol)}${eol}${indent}${close}`
}

test('any settings in any manner: put in and taken out is byte for byte what it was, or refused', () => {
  // Cursor's version is the table's above.
  const files = FILES.map(([, file]) => file).filter(
    ({ format, pieces }) => format === 'json' && pieces.every(({ kind }) => kind !== 'companion'),
  )
  let edited = 0
  fc.assert(
    fc.property(OBJECTS, MANNERS, fc.constantFrom(...files), fc.boolean(), (value, manner, file, mark) => {
      const text = `${mark ? '\ufeff' : ''}${write(value, manner)}`
      let result: ReturnType<typeof roundTrip>
      try {
        result = roundTrip(text, file)
      } catch (error) {
        expect(String(error)).toMatch(/is not an object|is not a list/)
        return
      }
      edited++
      expect(result.back).toBe(text)
    }),
    { numRuns: 400 },
  )
  expect(edited).toBeGreaterThan(100)
})
