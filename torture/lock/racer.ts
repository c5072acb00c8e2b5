/** One of the processes that race: `node racer.ts DIRECTORY RACES SEED`. Tells each race on stdout. */
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { acquireLock } from '../../src/store/index.ts'
import { oneOf, randomFrom } from '../random.ts'
import { ENDINGS, type Ending, end } from './endings.ts'
import { Witness } from './witness.ts'

const WAIT_MS = 120_000
/** Being killed costs a start, so it is rarer than the other endings. */
const KILLED_SHARE = 0.02
const LINGER_SHARE = 0.3
const LONGEST_LINGER_MS = 5

const [directory = '', races = '', seed = ''] = process.argv.slice(2)
const random = randomFrom(Number(seed))
const witness = new Witness(directory)
const peaceful = ENDINGS.filter(ending => ending !== 'killed')

function nextEnding(): Ending {
  return random() < KILLED_SHARE ? 'killed' : oneOf(random, peaceful)
}

for (let race = 0; race < Number(races); race++) {
  const lock = await acquireLock(join(directory, 'lock'), { waitMs: WAIT_MS })
  witness.enter(lock.fence)
  // Others get a chance to come in, if the lock lets them.
  if (random() < LINGER_SHARE) await sleep(random() * LONGEST_LINGER_MS)
  const ending = nextEnding()
  writeSync(1, `${ending}\n`)
  if (ending !== 'killed') witness.leave(lock.fence)
  await end(lock, ending)
}
