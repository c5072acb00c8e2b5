import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { History } from '../session/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import { countFailure, forgetFailures } from './failures.ts'

function place() {
  const state = temporaryDirectory()
  const history = new History(state)
  const fail = async () => countFailure(state, { history, batch: await history.waiting(20), why: 'no' })
  const dead = async () => (await history.dead()).map(({ content }) => content)
  const waiting = async () => (await history.waiting()).map(({ content }) => content)
  return { state, history, fail, dead, waiting }
}

test('what was in each of three tries is set aside; what was said between them has its turn', async () => {
  const { history, fail, dead, waiting } = place()
  for (const note of ['one', 'two', 'three']) {
    expect(await dead()).toEqual([])
    await history.append(note)
    await fail()
  }
  expect(await dead()).toEqual(['one'])
  expect(await waiting()).toEqual(['two', 'three'])
})

test('a dream that went well in between begins the count anew, and so does damage', async () => {
  const { state, history, fail, dead } = place()
  await history.append('one')
  await fail()
  await fail()
  forgetFailures(state)
  await fail()
  await fail()
  writeFileSync(join(state, 'dream-failures.json'), '{"first":')
  await fail()
  await fail()
  expect(await dead()).toEqual([])
  await fail()
  expect(await dead()).toEqual(['one'])
})

test('where there is no history nothing is counted', async () => {
  const { fail, dead } = place()
  for (let tries = 0; tries < 3; tries++) await fail()
  expect(await dead()).toEqual([])
})
