/** Two agents that change the same files at the same time lose nothing silently. */
import { realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { fileAgent } from './agent.fixture.ts'

test('of two edits at once of the same file one is made, and the other is told to read again', async () => {
  const root = realpathSync(temporaryDirectory())
  const locks = temporaryDirectory()
  const agents = [fileAgent({ root, locks }), fileAgent({ root, locks })]
  for (let round = 0; round < 20; round++) {
    writeFileSync(join(root, 'a'), 'x\n')
    const tries = agents.map(async (agent, who) => {
      agent.seen.forgetShown()
      await agent.text('read_file', { path: 'a' })
      return () => agent.text('edit_file', { path: 'a', old: 'x', new: `x by ${who}` })
    })
    const edits = await Promise.all(tries)
    const done = await Promise.allSettled(edits.map(edit => edit()))
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  }
})
