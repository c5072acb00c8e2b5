/** Simulated time in a process of its own: `node --expose-gc child.ts DIRECTORY HOURS`. */
import { passTime } from './day.ts'

const [directory = '', hours = ''] = process.argv.slice(2)
const measured = await passTime({
  directory,
  hours: Number(hours),
  hourly: ({ hour, runs, rssMegabytes }) =>
    process.stderr.write(`hour ${hour}: ${runs} runs, ${Math.round(rssMegabytes)} MB\n`),
})
console.log(JSON.stringify(measured))
