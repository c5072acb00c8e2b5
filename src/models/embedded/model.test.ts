import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, test } from 'vitest'
import { createEmbeddedModel } from './index.ts'

const NO_TOKENS = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}
const SAVE = { type: 'function' as const, name: 'memory_save', inputSchema: {} }

function options(text: string, more: Partial<LanguageModelV4CallOptions> = {}): LanguageModelV4CallOptions {
  return { prompt: [{ role: 'user', content: [{ type: 'text', text }] }], tools: [SAVE], ...more }
}

async function partsOf(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): Promise<LanguageModelV4StreamPart[]> {
  return Array.fromAsync(stream)
}

describe('the mind as a language model', () => {
  const model = createEmbeddedModel({ now: () => new Date('2026-04-07T10:00:00Z') })

  test('is one', () => {
    expect(model).toMatchObject({ specificationVersion: 'v4', provider: 'embedded', modelId: 'embedded' })
  })

  test('generates text, for no tokens', async () => {
    const { content, finishReason, usage, warnings } = await model.doGenerate(options('thanks'))
    expect(content).toEqual([{ type: 'text', text: 'You are welcome.' }])
    expect(finishReason).toEqual({ unified: 'stop', raw: 'stop' })
    expect(usage).toEqual(NO_TOKENS)
    expect(warnings).toEqual([])
  })

  test('generates tool calls, their input as JSON', async () => {
    const { content, finishReason } = await model.doGenerate(options('I use vim'))
    expect(finishReason.unified).toBe('tool-calls')
    expect(content).toMatchObject([{ type: 'tool-call', toolName: 'memory_save' }])
    const [call] = content
    expect(call?.type === 'tool-call' && JSON.parse(call.input)).toEqual({
      type: 'user',
      name: 'Uses vim',
      description: 'The owner uses vim',
      body: 'I use vim',
    })
  })

  test('streams the same, text in small pieces', async () => {
    const text = await partsOf((await model.doStream(options('help'))).stream)
    const deltas = text.flatMap(part => (part.type === 'text-delta' ? [part.delta] : []))
    const { content } = await model.doGenerate(options('help'))
    expect(content).toEqual([{ type: 'text', text: deltas.join('') }])
    expect(Math.max(...deltas.map(({ length }) => length))).toBeLessThanOrEqual(12)
    expect(text.map(({ type }) => type).filter(type => type !== 'text-delta')).toEqual([
      'stream-start',
      'text-start',
      'text-end',
      'finish',
    ])
    const calls = await partsOf((await model.doStream(options('I use vim'))).stream)
    expect(calls.map(({ type }) => type)).toEqual([
      'stream-start',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
      'finish',
    ])
    expect(calls.at(-1)).toEqual({
      type: 'finish',
      usage: NO_TOKENS,
      finishReason: { unified: 'tool-calls', raw: 'tool-calls' },
    })
  })

  test('the same conversation gives the same step, call ids and all', async () => {
    expect(await model.doGenerate(options('I use vim'))).toEqual(await model.doGenerate(options('I use vim')))
  })

  test('calls no tool that it was not given, or may not call', async () => {
    for (const more of [{ tools: [] }, { toolChoice: { type: 'none' as const } }]) {
      const { content } = await model.doGenerate(options('remember that I use vim', more))
      expect(content).toMatchObject([{ type: 'text', text: expect.stringMatching(/^Memory is off/) }])
    }
  })

  test('whoever wants JSON is warned', async () => {
    const { warnings } = await model.doGenerate(options('hi', { responseFormat: { type: 'json' } }))
    expect(warnings).toMatchObject([{ type: 'unsupported', feature: 'responseFormat' }])
  })

  test('stops when it is told to', async () => {
    const stopped = AbortSignal.abort(new Error('stopped'))
    await expect(model.doGenerate(options('help', { abortSignal: stopped }))).rejects.toThrow('stopped')
    await expect(model.doStream(options('help', { abortSignal: stopped }))).rejects.toThrow('stopped')
    const controller = new AbortController()
    const { stream } = await model.doStream(options('help', { abortSignal: controller.signal }))
    const reader = stream.getReader()
    await reader.read()
    controller.abort(new Error('stopped'))
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow('stopped')
  })

  test('a reader that leaves is no trouble', async () => {
    const { stream } = await model.doStream(options('help'))
    const reader = stream.getReader()
    await reader.read()
    await reader.cancel()
  })
})
