import { test } from 'vitest'
import { homeAt } from '../../config/index.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { playHistories, playHistoriesIn } from './histories.fixture.ts'
import { runFile } from './ledger.ts'

test('in 10,000 histories of ticks, crashes between any two writes, full disks and stale commands, the rules hold', async () => {
  await playHistories(10_000)
})

test('the same with real files', async () => {
  await playHistoriesIn(() => runFile(homeAt(temporaryDirectory()), { slug: 'p' }), 12)
})
