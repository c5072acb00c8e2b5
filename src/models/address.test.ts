import { expect, test } from 'vitest'
import { addressFrom, normaliseAddress } from './address.ts'
import type { ProviderKind } from './catalogue.ts'
import { ModelUnavailable } from './model-id.ts'

test.each<[ProviderKind, string, string]>([
  ['anthropic', 'https://api.anthropic.com', 'https://api.anthropic.com/v1'],
  ['anthropic', 'https://api.anthropic.com/v1/', 'https://api.anthropic.com/v1'],
  ['anthropic', 'https://api.deepseek.com/anthropic', 'https://api.deepseek.com/anthropic/v1'],
  ['openai', 'http://127.0.0.1:8080', 'http://127.0.0.1:8080/v1'],
  ['openai', 'https://gateway.example/openai', 'https://gateway.example/openai'],
  ['google', 'https://gateway.example', 'https://gateway.example/v1beta'],
  ['google', 'https://gateway.example/v1beta', 'https://gateway.example/v1beta'],
  ['compatible', 'http://127.0.0.1:11434/', 'http://127.0.0.1:11434/v1'],
  ['compatible', 'https://openrouter.ai/api/v1', 'https://openrouter.ai/api/v1'],
  ['bedrock', 'https://bedrock.example', 'https://bedrock.example'],
])('%s at %s is asked at %s', (kind, address, expected) => {
  expect(normaliseAddress(address, kind)).toBe(expected)
})

test.each([
  ['127.0.0.1', 'http://127.0.0.1:11434'],
  ['0.0.0.0:8000', 'http://127.0.0.1:8000'],
  [':9000', 'http://127.0.0.1:9000'],
  ['my-box', 'http://my-box:11434'],
  ['[::1]:8000', 'http://[::1]:8000'],
  ['http://my-box', 'http://my-box'],
  ['https://ollama.example/path', 'https://ollama.example/path'],
])('OLLAMA_HOST=%s', (value, expected) => {
  expect(addressFrom('OLLAMA_HOST', value)).toBe(expected)
})

test('what is no address is said to be none', () => {
  expect(() => addressFrom('OPENAI_BASE_URL', 'localhost:8080')).toThrow(ModelUnavailable)
  expect(() => addressFrom('OPENAI_BASE_URL', 'file:///etc/passwd')).toThrow('OPENAI_BASE_URL should hold')
  expect(() => addressFrom('OLLAMA_HOST', 'a b')).toThrow('OLLAMA_HOST should hold an address')
})
