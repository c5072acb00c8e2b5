/** Talks for many turns in a small window and tells how much memory that takes: a line of JSON each time. */
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Agent } from '../src/agent/index.ts'
import { DEFAULTS, homeAt } from '../src/config/index.ts'
import { Memory } from '../src/memory/index.ts'
import { round } from './report.ts'

// As bin/entry.cjs does.
setFlagsFromString('--heap-growing-percent=50')
setFlagsFromString('--no-maglev')

const [root = '', baseUrl = '', turns = '', window = ''] = process.argv.slice(2)
const MB = 1024 * 1024
const FIRST_LOOK = 200

const [home, project] = [homeAt(join(root, 'home-2')), { root, slug: 'q' }]
using memory = await Memory.open({ home, project })
const config = {
  ...DEFAULTS,
  model: 'custom/model-x',
  smallModel: 'embedded',
  providers: { custom: { baseUrl, apiKey: 'sk-fake', window: Number(window) } },
}
await using agent = await Agent.open({ home, project, config, env: {}, memory })
for (let turn = 1; turn <= Number(turns); turn++) {
  const end = await agent.send(`Please look at part ${turn} and tell me how it is.`, () => {})
  if (end.reason !== 'answered') throw new Error(`turn ${turn} ended as ${end.reason}: ${end.message}`)
  if (turn !== FIRST_LOOK && turn !== Number(turns)) continue
  const { heapUsed, rss } = process.memoryUsage()
  const row = {
    turn,
    'rss MB': round(rss / MB, 1),
    'heap MB': round(heapUsed / MB, 1),
    'messages held': agent.messages.length,
  }
  console.log(JSON.stringify(row))
}
