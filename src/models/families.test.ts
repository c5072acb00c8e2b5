import { expect, test } from 'vitest'
import { PROVIDERS } from './catalogue.ts'
import { familyOf } from './families.ts'

test.each([
  ['claude-opus-5-5', 4],
  ['claude-opus-5', 5],
  ['claude-opus-4-5-20251101', 5],
  ['claude-haiku-4-5-20251001', 1],
  ['anthropic/claude-sonnet-5.5', 2],
  ['us.anthropic.claude-opus-4-5-20251101-v1:0', 5],
  ['claude-sonnet-4@20250514', 3],
  ['gpt-5', 1.25],
  ['gpt-5.4', 2.5],
  ['gpt-5.4-mini', 0.75],
  ['gpt-5.4-2026-03-05', 2.5],
  ['gpt-6.1-sol-2026-09-29', 2],
  ['gemini-2.5-flash', 0.3],
  ['deepseek/deepseek-v4-pro:free', 1.32],
])('%s is in a family with an input price of %d', (name, input) => {
  expect(familyOf(name)?.price?.input).toBe(input)
})

test.each(['claude-opus-5-9', 'claude-opus-55', 'gpt-5.4-nano', 'gpt-4', 'my-claude-opus-5', 'x'])(
  '%s is not taken for a relative',
  name => {
    expect(familyOf(name)).toBeUndefined()
  },
)

test('the models that are chosen by themselves are known', () => {
  for (const { kind, model, small } of Object.values(PROVIDERS))
    for (const name of [model, small])
      if (name && name !== 'openrouter/auto') expect(familyOf(name), `${kind} ${name}`).toBeDefined()
})
