import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openConversation } from '../../assembly/index.ts'
import { homeAt, loadConfig } from '../../config/index.ts'
import { Memory } from '../../memory/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { completeSlashCommand, runSlashCommand, SLASH_COMMANDS, type SlashContext } from './index.ts'

async function context(): Promise<SlashContext> {
  const root = temporaryDirectory()
  const [home, project, env] = [homeAt(join(root, 'home')), { root, slug: 'p-1' }, {}]
  const memory = await Memory.open({ home, project })
  const config = () => loadConfig({ home, project, env, flags: {} })
  const conversation = await openConversation({ home, project, env, memory, config: (await config()).config })
  onTestFinished(async () => {
    await conversation.close()
    memory[Symbol.dispose]()
  })
  const { agent, jobs } = conversation
  const here = { home, project, env, memory, agent, jobs, config, columns: 60, colours: false }
  return { ...here, switchTo: async () => {}, tell: () => {} }
}

test('help lists every command once, with what it is for', async () => {
  const names = SLASH_COMMANDS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const { text = '' } = await runSlashCommand('/help', await context())
  const words = text.replaceAll(/\s+/g, ' ')
  for (const { usage, summary } of SLASH_COMMANDS) expect(words).toContain(`${usage} ${summary}`)
  expect(Math.max(...text.split('\n').map(line => line.length))).toBeLessThanOrEqual(60)
})

test('the name of a command and what it takes are completed', async () => {
  const here = await context()
  await here.memory?.save({ type: 'user', name: 'Likes tea', description: 'Green tea', body: 'Green tea.' })
  await runSlashCommand('/tasks create Write the parser', here)
  const values = async (line: string) => (await completeSlashCommand(line, here)).map(({ value }) => value)
  expect(await values('/dre')).toEqual(['/dream', '/dream-log', '/dream-restore'])
  expect(await values('/dream ')).toEqual(['force', 'dry-run', 'status'])
  expect(await values('/dream d')).toEqual(['dry-run'])
  expect(await values('/forget ')).toEqual(['user_likes-tea.md'])
  expect(await values('/tasks com')).toEqual(['complete'])
  expect(await values('/tasks complete ')).toEqual(['complete 1'])
  expect(await values('/permissions a')).toEqual(['ask', 'acceptEdits', 'auto'])
  expect(await values('/nothing x')).toEqual([])
  expect(await completeSlashCommand('/forget user', here)).toEqual([
    { value: 'user_likes-tea.md', note: 'Green tea' },
  ])
})

test('tables are as wide as the place where they are shown, and without colours where those are not understood', async () => {
  const here = await context()
  const description = 'word '.repeat(25).trim()
  await here.memory?.save({ type: 'user', name: 'Long', description, body: 'Long.' })
  const { text = '' } = await runSlashCommand('/memory', here)
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
  expect((await runSlashCommand('/memory long', here)).text).not.toContain('\u001b')
})

test('/poor turns side jobs that cost tokens off and on again', async () => {
  const here = await context()
  expect((await runSlashCommand('/poor', here)).text).toMatch(/^Poor:/)
  expect(here.agent.poor).toBe(true)
  await runSlashCommand('/poor off', here)
  expect(here.agent.poor).toBe(false)
})

test.each([
  ['/dreem', /Did you mean \/dream\?/],
  ['/remember', /Something is missing/],
  ['/permissions all', /is not a mode/],
])('%s is told what is wrong with it', async (line, why) => {
  await expect(runSlashCommand(line, await context())).rejects.toThrow(why)
})

test('skills are listed, read, put aside and taken back', async () => {
  const here = await context()
  const run = async (line: string) => (await runSlashCommand(line, here)).text ?? ''
  expect(await run('/skills')).toMatch(/^NAME.*\ncron .*\nmemory .*\nskill-creator /)
  expect(await run('/skills show memory')).toContain('# Looking after memory')
  expect(await run('/skills disable memory')).toContain('put aside')
  expect(await run('/skills')).toMatch(/memory +Reverie +put aside/)
  expect((await here.config()).config.skills.disabled).toEqual(['memory'])
  expect(await run('/skills enable memory')).toBe('memory can be used.')
  await expect(run('/skills show nothing')).rejects.toThrow('There is no skill "nothing"')
  await expect(run('/skills enable')).rejects.toThrow('Something is missing')
})

test('/mcp lists the servers of the conversation', async () => {
  expect((await runSlashCommand('/mcp', await context())).text).toContain('There are no MCP servers')
  await expect(runSlashCommand('/mcp nowhere', await context())).rejects.toThrow(/no MCP server "nowhere"/)
})
