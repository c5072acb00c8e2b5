/** Windows that are too small for what is said, and models that mislead: nothing overflows, and the talk goes on. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { DEFAULTS, homeAt } from '../config/index.ts'
import { Memory } from '../memory/index.ts'
import { type Line, startFakeProvider, type WireRequest } from '../models/wire.fixture.ts'
import { type ImagePart, toolCallsOf, toolResultsOf } from '../session/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { defineTool, type Tool } from '../tools/index.ts'
import { Agent } from './agent.ts'
import type { AgentEvent } from './events.ts'

const IMAGE_TOKENS = 1_600

/** Characters, as a tokeniser that is worse than our estimate would count them; an image as providers do. */
function tokensOf({ body }: WireRequest): number {
  let images = 0
  const text = JSON.stringify([body.system, body.messages, body.tools], (key, value) => {
    if (key !== 'source' && key !== 'image_url') return value
    images++
    return ''
  })
  return Math.ceil(text.length / 3.6) + images * IMAGE_TOKENS
}

interface TightOptions {
  window?: number
  /** What the model really takes, when it is less than what we are told. */
  takes?: number
  tools?: readonly Tool[]
  small?: Line
  /** Files that are there when it begins, relative to the project. */
  files?: Record<string, string>
  /** The owner's, after everything else of the prompt. */
  append?: string
  /** What is reported instead of what was counted. */
  reported?: (tokens: number) => number
}

async function tight(lines: Line, options: TightOptions = {}) {
  const { window = 8_000, takes = window, tools = [], files = {}, reported = tokens => tokens } = options
  const root = temporaryDirectory()
  const [home, project] = [homeAt(join(root, 'home')), { root, slug: 'p' }]
  mkdirSync(home.path)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  const provider = await startFakeProvider()
  const state = { refused: 0, lines, takes }
  provider.always((request, n) => {
    const input = tokensOf(request)
    const asksForNotes = request.text.includes('Write the notes')
    if (asksForNotes && options.small)
      return typeof options.small === 'function' ? options.small(request, n) : options.small
    if (input + 500 > state.takes) {
      state.refused++
      const message = `prompt is too long: ${input} tokens > ${state.takes} maximum`
      return { fault: { status: 400, message } }
    }
    const line = typeof state.lines === 'function' ? state.lines(request, n) : state.lines
    return { ...line, usage: { input: reported(input), output: 20 } }
  })
  const memory = await Memory.open({ home, project })
  const config = {
    ...DEFAULTS,
    model: 'anthropic/claude-x',
    smallModel: options.small ? 'anthropic/claude-small' : 'embedded',
    providers: {
      anthropic: { ...provider.settings('anthropic').anthropic, window },
      custom: { ...provider.settings('custom').custom, window: 8_000 },
    },
    prompt: { append: options.append },
  }
  const agent = await Agent.open({ home, project, config, env: {}, memory, tools, sleep: async () => {} })
  const events: AgentEvent[] = []
  return {
    agent,
    root,
    provider,
    state,
    events,
    say: (text: string) => agent.send(text, event => void events.push(event)),
    last: () => provider.requests.at(-1)?.text ?? '',
    async [Symbol.asyncDispose]() {
      await agent.close()
      memory[Symbol.dispose]()
      await provider[Symbol.asyncDispose]()
    },
  }
}

/** Says how often it is called; nothing in it is worth keeping. */
function giving(text: (n: number) => string, images: readonly ImagePart[] = []): Tool {
  let n = 0
  return defineTool({
    name: 'give',
    description: 'Gives.',
    input: z.object({ content: z.string().optional() }),
    readOnly: true,
    run: async () => ({ text: text(n++), images }),
  })
}

const gives = (count: number, content?: string): Line => ({
  text: 'Looking.',
  calls: Array.from({ length: count }, () => ({
    name: 'give',
    input: content === undefined ? {} : { content },
  })),
})

/** Calls for so many rounds, then answers. */
function rounds(count: number, call: Line): Line {
  let left = count
  return (request, n) => {
    if (left-- > 0) return typeof call === 'function' ? call(request, n) : call
    return { text: 'Done.' }
  }
}

const paired = (agent: Agent) =>
  expect(
    agent.messages
      .flatMap(toolResultsOf)
      .map(({ call }) => call)
      .toSorted(),
  ).toEqual(
    agent.messages
      .flatMap(toolCallsOf)
      .map(({ call }) => call)
      .toSorted(),
  )

test('a message larger than the window is answered from its ends, is whole in a file, and wedges nothing', async () => {
  await using talk = await tight({ text: 'Fine.' })
  expect(await talk.say(`FIRST ${'a long log line 12345\n'.repeat(3_000)} LAST`)).toMatchObject({
    reason: 'answered',
  })
  expect(talk.state.refused).toBe(0)
  expect(talk.last()).toMatch(
    /FIRST[\s\S]*characters left out for want of room; all of it is in [^"]*\.txt[\s\S]*LAST/,
  )
  expect(await talk.say('And now?')).toMatchObject({ reason: 'answered' })
})

test.each([
  ['one huge result beside small ones', 4, (n: number) => (n === 1 ? 'x9 '.repeat(90_000) : `small ${n}`)],
  ['ten large results at once', 10, (n: number) => `begin ${n} ${'word '.repeat(5_000)}`],
  ['a result of nothing but Chinese', 1, () => '的一是不了人我在有他'.repeat(3_000)],
])('%s: all are seen, at least their beginnings', async (_, calls, text) => {
  await using talk = await tight(rounds(1, gives(calls)), { tools: [giving(text)] })
  expect(await talk.say('Give me all.')).toMatchObject({ reason: 'answered' })
  expect(talk.state.refused).toBe(0)
  expect(talk.last()).not.toContain('[old result cleared]')
  for (let n = 0; n < calls; n++)
    expect(talk.last()).toContain(JSON.stringify(text(n).slice(0, 8)).slice(1, -1))
  paired(talk.agent)
})

test('more calls at once than there is room for: the newest are seen, the question stays, and nothing is stuck', async () => {
  const tool = giving(n => `given ${n}`)
  await using talk = await tight(rounds(1, gives(300)), { tools: [tool] })
  expect(await talk.say('Give me three hundred for ANN.')).toMatchObject({ reason: 'answered' })
  expect(talk.state.refused).toBe(0)
  expect(talk.last()).toMatch(/three hundred for ANN[\s\S]*\d+ calls and what they returned are left out/)
  expect(talk.last()).toContain('given 299')
  paired(talk.agent)
})

test('long words of the model between its calls: both ends of them stay, and the question', async () => {
  const tool = giving(n => `given ${n}`)
  const talk: Line = { ...gives(1), text: `BEGIN ${'as I was saying '.repeat(1_500)} END` }
  await using tight8k = await tight(rounds(3, talk), { tools: [tool] })
  expect(await tight8k.say('Explain all to ANN.')).toMatchObject({ reason: 'answered' })
  expect(tight8k.state.refused).toBe(0)
  expect(tight8k.last()).toMatch(/all to ANN[\s\S]*BEGIN[^"]*characters left out[^"]* END"[\s\S]*given 2/)
  paired(tight8k.agent)
})

test('a turn of thirty steps, each writing much, goes on: old steps are left out, the question stays', async () => {
  const tool = giving(n => `written ${n}`)
  await using talk = await tight(rounds(30, gives(1, 'const a = 1\n'.repeat(300))), { tools: [tool] })
  expect(await talk.say('Write thirty files for ANN.')).toMatchObject({ reason: 'answered' })
  expect(talk.state.refused).toBe(0)
  expect(talk.last()).toMatch(/thirty files for ANN[\s\S]*\d+ earlier steps of this are left out/)
  paired(talk.agent)
})

test('fifty images: as many as there is room for', async () => {
  const image: ImagePart = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' }
  await using talk = await tight(rounds(5, gives(10)), {
    tools: [giving(() => 'seen', [image])],
    window: 32_000,
  })
  expect(await talk.say('Look at all.')).toMatchObject({ reason: 'answered' })
  expect(talk.state.refused).toBe(0)
  expect(JSON.stringify(talk.provider.requests.at(-1)?.body)).toContain('image/png')
})

test('what is said meanwhile belongs to the turn: neither it nor the question is summarised away', async () => {
  const tool = giving(n => `result ${n} ${'word '.repeat(700)}`)
  await using talk = await tight(rounds(14, gives(1)), { tools: [tool] })
  for (let turn = 0; turn < 4; turn++) {
    talk.state.lines = { text: `Fine. ${'It holds. '.repeat(60)}` }
    await talk.say(`Earlier ${turn}. ${'More of it. '.repeat(60)}`)
  }
  let heard = 0
  talk.agent.listen(event => {
    if (event.type === 'tool-ended' && heard++ === 3) talk.agent.steer('Mind the SEMICOLONS.')
  })
  talk.state.lines = rounds(14, gives(1))
  expect(await talk.say('Check the COLONS.')).toMatchObject({ reason: 'answered' })
  expect(talk.events).toContainEqual({ type: 'transition', to: 'compacted' })
  for (const word of ['Check the COLONS.', 'Mind the SEMICOLONS.'])
    expect(JSON.stringify(talk.provider.requests.at(-1)?.body.messages)).toContain(word)
  expect(talk.state.refused).toBe(0)
})

test.each([
  ['nothing', { text: '' }],
  ['next to nothing', { text: 'Sorry.' }],
  ['far too much', { text: 'blah '.repeat(2_000) }],
])('a small model that summarises with %s is not believed', async (_, small) => {
  await using talk = await tight({ text: `Fine. ${'It holds. '.repeat(40)}` }, { small })
  await talk.say('My name is Ann Lindqvist.')
  for (let turn = 0; turn < 16; turn++)
    expect(await talk.say(`Part ${turn}. ${'More of it. '.repeat(60)}`)).toMatchObject({ reason: 'answered' })
  expect(talk.state.refused).toBe(0)
  expect(talk.last()).toContain('Ann Lindqvist')
  expect(talk.events.some(event => event.type === 'notice' && event.text.includes('No model could'))).toBe(
    true,
  )
})

test('a window that is smaller than said, and reports that are wrong, are learnt from the first refusal', async () => {
  await using talk = await tight(
    { text: `Fine. ${'It holds. '.repeat(40)}` },
    { window: 64_000, takes: 9_000, reported: tokens => Math.ceil(tokens / 4) },
  )
  for (let turn = 0; turn < 25; turn++)
    expect(await talk.say(`Part ${turn}. ${'More of it. '.repeat(60)}`)).toMatchObject({ reason: 'answered' })
  expect(talk.state.refused).toBeLessThan(4)
})

test('a window of 4,000 tokens still carries a conversation', async () => {
  await using talk = await tight({ text: 'Fine, it holds.' }, { window: 4_000 })
  await talk.say('My name is Ann Lindqvist.')
  for (let turn = 0; turn < 12; turn++)
    expect(await talk.say(`How is part ${turn} of the plan?`)).toMatchObject({ reason: 'answered' })
  expect(talk.state.refused).toBe(0)
  expect(talk.last()).toContain('Ann Lindqvist')
})

const LONG_RULES = (whose: string) =>
  `${whose} COMES FIRST.\n${'Tabs for code, and never spaces.\n'.repeat(2_000)}`

test('instructions that are longer than the window leave room to talk: their beginning counts, and it is said so', async () => {
  const names = ['AGENTS.md', 'home/AGENTS.md', 'home/SOUL.md', 'home/USER.md', 'home/TOOLS.md']
  const files = Object.fromEntries(names.map(name => [name, LONG_RULES(name)]))
  await using talk = await tight({ text: 'Fine.' }, { files })
  await talk.say('My name is Ann Lindqvist.')
  for (let turn = 0; turn < 12; turn++)
    expect(await talk.say(`Part ${turn}. ${'More of it. '.repeat(20)}`)).toMatchObject({ reason: 'answered' })
  expect(talk.state.refused).toBe(0)
  for (const name of names) expect(talk.last()).toContain(`${name} COMES FIRST.`)
  expect(talk.last()).toMatch(/cut here for want of room: 66\d+ characters in all, in [^"]*AGENTS\.md/)
  expect(talk.last()).toContain('Ann Lindqvist')
})

test('a model with a smaller window that takes over is told of less, in the prompt and of tools, and answers', async () => {
  await using talk = await tight(
    { text: `Fine. ${'It holds. '.repeat(40)}` },
    { window: 64_000, files: { 'AGENTS.md': LONG_RULES('THE PROJECT') } },
  )
  for (let turn = 0; turn < 20; turn++) await talk.say(`Part ${turn}. ${'More of it. '.repeat(60)}`)
  const tools = () => Object.keys((talk.provider.requests.at(-1)?.body.tools as unknown[]) ?? []).length
  const before = tools()
  talk.state.takes = 8_000
  await talk.agent.useModel('custom/small')
  expect(await talk.say('And now?')).toMatchObject({ reason: 'answered' })
  expect(talk.state.refused).toBe(0)
  expect(tools()).toBeLessThan(before)
  expect(talk.events).toContainEqual({
    type: 'notice',
    text: expect.stringMatching(/window of custom\/small is small \(8000 tokens\)/),
  })
})

test('a prompt of the owner’s that fills the window is named', async () => {
  await using talk = await tight({ text: 'Fine.' }, { append: LONG_RULES('THIS') })
  await talk.say('Hello.')
  const told = talk.events.flatMap(event => (event.type === 'notice' ? [event.text] : []))
  expect(told.join('\n')).toMatch(
    /of the 8000 tokens of anthropic\/claude-x are taken before anything is said; the largest parts are output style/,
  )
  expect(told.filter(text => text.includes('before anything'))).toHaveLength(1)
})

test('while it answers, a conversation is not made shorter a second time', async () => {
  await using talk = await tight({ text: 'Fine.' })
  const answering = talk.say('Go.')
  await expect(talk.agent.compact()).rejects.toThrow('being answered already')
  expect(await answering).toMatchObject({ reason: 'answered' })
})

test('what was cleared is shown again when it is asked for', async () => {
  const read: Line = { text: 'Reading.', calls: [{ name: 'read_file', input: { path: 'a.txt' } }] }
  await using talk = await tight(read)
  writeFileSync(join(talk.root, 'a.txt'), 'KEY LINE\n'.repeat(300))
  const tool = rounds(1, read)
  talk.state.lines = tool
  await talk.say('Read a.txt.')
  for (const path of ['b.txt', 'c.txt', 'd.txt']) {
    writeFileSync(join(talk.root, path), `other ${path}\n`.repeat(500))
    talk.state.lines = rounds(1, { text: 'Reading.', calls: [{ name: 'read_file', input: { path } }] })
    await talk.say(`Read ${path}.`)
  }
  talk.state.lines = rounds(1, read)
  await talk.say('Read a.txt again.')
  const last = talk.agent.messages.flatMap(toolResultsOf).at(-1)
  expect(JSON.stringify(last?.content)).toContain('KEY LINE')
})
