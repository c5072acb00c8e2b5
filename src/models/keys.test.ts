import { expect, test } from 'vitest'
import { DEFAULTS } from '../config/index.ts'
import { providerKeys } from './keys.ts'

test('tells where keys are and never what they are', () => {
  const reference = (name: string) => `\${${name}}`
  const config = {
    ...DEFAULTS,
    providers: {
      anthropic: { apiKey: reference('MINE') },
      openai: { apiKey: 'sk-in-clear' },
      xai: { apiKey: reference('GONE') },
      ollama: { baseUrl: 'http://127.0.0.1:11434' },
    },
  }
  const keys = providerKeys(config, {
    MINE: 'secret-1',
    OPENAI_API_KEY: 'secret-2',
    GEMINI_API_KEY: 'secret-3',
  })
  expect(keys).toEqual([
    { provider: 'anthropic', place: 'MINE', found: true },
    { provider: 'openai', place: 'config.json', found: true },
    { provider: 'xai', place: 'GONE', found: false },
    { provider: 'google', place: 'GEMINI_API_KEY', found: true },
  ])
  expect(JSON.stringify(keys)).not.toMatch(/secret|clear/)
})
