/** The process that is killed: `node child.ts SCENARIO DIRECTORY`. One acknowledgement per line on stdout. */
import { writeSync } from 'node:fs'
import { loadScenario } from './scenario.ts'

const [name = '', directory = ''] = process.argv.slice(2)
const scenario = await loadScenario(name)
await scenario.child(directory, record => {
  writeSync(1, `${record}\n`)
})
