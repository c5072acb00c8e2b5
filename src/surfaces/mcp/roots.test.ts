import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished, test } from 'vitest'
import { findProject, homeAt } from '../../config/index.ts'
import { Memory } from '../../memory/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { call, openLender, scratch } from './mcp.fixture.ts'
import { serveClient } from './server.ts'

/** A client that says where it works, and a server that was started somewhere else. */
async function startedElsewhere(roots: () => string[]) {
  const place = scratch()
  const lender = await openLender(place)
  const moves: string[] = []
  const move = async (directory: string) => {
    moves.push(directory)
    const project = findProject(directory)
    const memory = await Memory.open({ home: homeAt(place.home), project })
    onTestFinished(() => memory[Symbol.dispose]())
    lender.moveTo(project, memory)
  }
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await serveClient(lender, ours, { move })
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { roots: {} } })
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots().map(uri => ({ uri })) }))
  const connecting = client.connect(theirs)
  onTestFinished(() => client.close())
  const draft = { type: 'project', name: 'Zebra', description: 'Ships on Friday', body: 'On Friday.' }
  await connecting
  // At once: nothing waits until it is known where to.
  const [saved] = await Promise.all([
    call(client, 'memory_save', draft),
    call(client, 'task_create', { subject: 'Ship' }),
  ])
  return { place, lender, moves, saved }
}

test('what is asked is done where the client works, not where it has started this', async () => {
  const open = temporaryDirectory()
  const { place, lender, moves, saved } = await startedElsewhere(() => [
    'untitled:x',
    pathToFileURL(join(open, 'gone')).href,
    pathToFileURL(open).href,
  ])
  expect(moves).toEqual([open])
  expect(saved).toMatchObject({ created: true })
  const { slug } = findProject(open)
  expect(lender.project.slug).toBe(slug)
  expect(lender.memory.place('project')).toBe(join(place.home, 'projects', slug, 'memory'))
  expect((await lender.memory.list()).map(({ name }) => name)).toEqual(['Zebra'])
})

test('one that was started in what is open, or whose client does not say, stays where it is', async () => {
  const inside = await startedElsewhere(() => [
    pathToFileURL(temporaryDirectory()).href,
    pathToFileURL(process.cwd()).href,
  ])
  expect([inside.moves, inside.saved.created]).toEqual([[], true])
  const silent = await startedElsewhere(() => {
    throw new Error('not now')
  })
  expect([silent.moves, silent.saved.created]).toEqual([[], true])
})
