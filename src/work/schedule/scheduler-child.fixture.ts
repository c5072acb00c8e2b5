/** A process whose scheduler begins a run that never ends: `node scheduler-child.fixture.ts DIRECTORY`. */
import { homeAt } from '../../config/index.ts'
import { RunLedger, runFile } from '../runs/index.ts'
import { Schedule } from './schedule.ts'
import { Scheduler } from './scheduler.ts'

const [directory = ''] = process.argv.slice(2)
const home = homeAt(directory)
const project = { slug: 'p' }
const scheduler = new Scheduler({
  schedule: new Schedule(home, project, { timeZone: 'UTC' }),
  ledger: new RunLedger(runFile(home, project)),
  run: () => {
    process.stdout.write('begun\n')
    return new Promise(() => {})
  },
  tell: () => {},
})
scheduler.start()
setInterval(() => {}, 60_000)
