import { expect, test } from 'vitest'
import { rules } from './permissions.fixture.ts'
import {
  isWritable,
  matchesAddress,
  matchesPath,
  matchesTool,
  namesExplicitly,
  type Rule,
  readRule,
  ruleText,
  strongest,
  UnreadableRule,
} from './rule.ts'

test.each([
  ['bash', { tool: 'bash' }],
  ['bash(git status:*)', { tool: 'bash', pattern: 'git status:*' }],
  ['mcp__server__*', { tool: 'mcp__server__*' }],
  ['read_file(app/(group)/x.ts)', { tool: 'read_file', pattern: 'app/(group)/x.ts' }],
  ['bash(a) in /work/app', { tool: 'bash', pattern: 'a', project: '/work/app' }],
  [
    'bash(a) in /my (work)/app since 2026-10-06',
    { tool: 'bash', pattern: 'a', project: '/my (work)/app', since: '2026-10-06' },
  ],
  ['web_fetch since 2026-10-06', { tool: 'web_fetch', since: '2026-10-06' }],
])('reads %s and writes it again', (text, rule) => {
  expect(readRule(text, 'allow', 'owner')).toEqual({ kind: 'allow', source: 'owner', ...rule })
  expect(ruleText(readRule(text, 'allow', 'owner'))).toBe(text)
})

test.each(['', 'bash(', '(x)', 'bash git', 'bash(a) in here', 'b*sh'])('%j is no rule', text => {
  expect(() => readRule(text, 'deny', 'owner')).toThrow(UnreadableRule)
})

test('a rule that would be read back as another is not written', () => {
  const rule = (pattern: string): Rule => ({
    kind: 'allow',
    source: 'owner',
    tool: 'bash',
    pattern,
    project: '/p',
  })
  expect(isWritable(rule('npm test:*'))).toBe(true)
  expect(isWritable(rule('echo a) in /'))).toBe(false)
  expect(isWritable(rule('a\nb'))).toBe(false)
})

/** From the strongest: whatever stands below it in the same row loses. */
const ORDER = [
  'owner deny x',
  'project deny x',
  'session allow x',
  'owner ask x',
  'owner allow x',
  'project ask x',
]

test.each(ORDER.flatMap((strong, at) => ORDER.slice(at + 1).map(weak => [strong, weak] as const)))(
  '%s is stronger than %s, whichever comes first',
  (strong, weak) => {
    for (const both of [rules(strong, weak), rules(weak, strong)]) {
      const ruling = strongest(both, () => 'yes')
      expect(`${ruling?.rule.source} ${ruling?.decision} x`).toBe(strong)
    }
  },
)

test('what may be meant by a stronger rule that restricts is asked about, and allows nothing', () => {
  const both = rules('owner deny x', 'owner allow y')
  const ruling = strongest(both, ({ tool }) => (tool === 'x' ? 'maybe' : 'yes'))
  expect(ruling?.decision).toBe('ask')
  expect(strongest(rules('owner allow y'), () => 'maybe')).toBeUndefined()
  expect(strongest([], () => 'yes')).toBeUndefined()
})

test('a name may end with a star', () => {
  const [rule] = rules('owner allow mcp__server__*') as [Rule]
  expect(matchesTool(rule, 'mcp__server__read')).toBe(true)
  expect(matchesTool(rule, 'mcp__serverother__read')).toBe(false)
})

const grounds = { root: '/work/app', home: '/home/me' }

test.each([
  ['allow read_file(src/**)', '/work/app/src/a/b.ts', true],
  ['allow read_file(src/**)', '/work/app/src', true],
  ['allow read_file(src/**)', '/work/app/srcx/a.ts', false],
  ['allow read_file(src/**)', '/elsewhere/src/a.ts', false],
  ['allow read_file(**)', '/work/app/.hidden/a', true],
  ['allow read_file(**)', '/elsewhere/a', false],
  ['allow read_file(*.md)', '/work/app/docs/a.md', false],
  ['allow read_file(/etc/**)', '/etc/hosts', true],
  ['allow read_file(~/notes/**)', '/home/me/notes/x.md', true],
  ['allow read_file(src)', '/work/app/src/a.ts', false],
  ['deny read_file(src)', '/work/app/src/a.ts', true],
  ['deny read_file(SRC/**)', '/work/app/src/a.ts', true],
  ['allow read_file(SRC/**)', '/work/app/src/a.ts', false],
  ['allow read_file', '/anywhere', true],
])('%s for %s: %s', (text, real, fits) => {
  const [rule] = rules(`owner ${text}`) as [Rule]
  expect(matchesPath(rule, { path: real, real }, grounds)).toBe(fits)
})

test('to deny it is enough that the name fits; to allow, the place has to', () => {
  const place = { path: '/work/app/src/link', real: '/outside/file' }
  expect(matchesPath(rules('owner deny read_file(src/**)')[0] as Rule, place, grounds)).toBe(true)
  expect(matchesPath(rules('owner allow read_file(src/**)')[0] as Rule, place, grounds)).toBe(false)
})

test.each([
  ['read_file(.env)', true],
  ['read_file(**)', false],
  ['read_file(.*)', false],
  ['read_file', false],
  ['read_file(~/.ssh/**)', true],
])('%s says yes to what is protected: %s', (text, names) => {
  const [rule] = rules(`owner allow ${text}`) as [Rule]
  expect(namesExplicitly(rule, grounds, path => path.includes('.ssh'))).toBe(names)
})

test.each([
  ['allow web_fetch(domain:example.org)', 'https://example.org/x', true],
  ['allow web_fetch(domain:example.org)', 'https://EXAMPLE.org./x', true],
  ['allow web_fetch(domain:example.org)', 'https://sub.example.org/', false],
  ['deny web_fetch(domain:example.org)', 'https://sub.example.org/', true],
  ['allow web_fetch(domain:*.example.org)', 'https://sub.example.org/', true],
  ['allow web_fetch(domain:*.example.org)', 'https://example.org/', false],
  ['allow web_fetch(domain:example.org)', 'https://example.org.evil.net/', false],
  ['allow web_fetch(domain:example.org)', 'https://evil.net/?example.org', false],
  ['allow web_fetch(domain:example.org)', 'https://example.org@evil.net/', false],
  ['allow web_fetch(domain:example.org)', 'not an address', false],
  ['allow web_fetch', 'https://any.net', true],
])('%s for %s: %s', (text, url, fits) => {
  expect(matchesAddress(rules(`owner ${text}`)[0] as Rule, url)).toBe(fits)
})
