import { expect, test } from 'vitest'
import { makeScratch } from './shell/scratch.ts'
import {
  judgeCorpus,
  judgeMixes,
  judgeOptions,
  judgePaths,
  raceChecks,
  watchesForReal,
  writeProof,
} from './shell.torture.ts'

test('harm that is done on purpose is seen', async () => {
  await expect(watchesForReal()).resolves.toContain('all seen')
})

test('no hostile command is allowed, and what is allowed does no harm', async () => {
  const told = await judgeCorpus()
  expect(Number(/^\d+/.exec(told)?.[0])).toBeGreaterThanOrEqual(200)
})

test('no hostile path is allowed', async () => {
  await expect(judgePaths()).resolves.toContain('none allowed')
})

test('random commands that are allowed do no harm', async () => {
  const seed = Date.now() % 1_000_000
  await expect(judgeMixes(150, seed), `seed ${seed}`).resolves.toContain('none did harm')
})

test('readers with random options only read', async () => {
  const seed = Date.now() % 1_000_000
  await expect(judgeOptions(200, seed), `seed ${seed}`).resolves.toContain('none changed anything')
})

test('a link that is put in place of a file between check and use is seen', async () => {
  const scratch = makeScratch()
  await raceChecks(scratch).finally(scratch.remove)
})

test('the write-proof shell writes nothing, starts nothing and sees nothing else', async () => {
  const seed = Date.now() % 1_000_000
  await expect(writeProof(3, seed), `seed ${seed}`).resolves.toContain('disk unchanged')
})
