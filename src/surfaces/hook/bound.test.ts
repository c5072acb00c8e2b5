import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const BOUND = new URL('./bound.ts', import.meta.url).href

function run(script: string) {
  const args = ['--input-type=module', '-e', `import { Bound } from '${BOUND}'\n${script}`]
  return spawnSync(process.execPath, args, { timeout: 30_000 })
}

test('a process that is at its bound is ended in the middle of anything, and one that is done ends by itself', () => {
  expect(run('await Bound.begin(200); for (;;);')).toMatchObject({ signal: 'SIGKILL' })
  expect(run('using bound = await Bound.begin(60_000); await bound.extend(90_000)')).toMatchObject({
    status: 0,
    signal: null,
  })
})
