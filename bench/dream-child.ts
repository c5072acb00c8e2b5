/** One dream, in a process of its own so that what it takes can be measured: `node dream-child.ts HOME PROJECT`. */
import { DEFAULTS, homeAt } from '../src/config/index.ts'
import { dream, embeddedDreamer } from '../src/dream/index.ts'
import { Memory } from '../src/memory/index.ts'

const [home = '', root = ''] = process.argv.slice(2)
const place = { home: homeAt(home), project: { root, slug: 'p' } }
using memory = await Memory.open(place)
const config = { ...DEFAULTS, dream: { ...DEFAULTS.dream, maxRemovals: 1_000 } }
const start = performance.now()
const { status, changes } = await dream(
  { ...place, memory, config, dreamer: embeddedDreamer },
  { force: true },
)
const ms = performance.now() - start
const { user, system } = process.cpuUsage()
const removed = changes.filter(({ action }) => action === 'remove').map(({ file }) => file)
const megabytes = process.resourceUsage().maxRSS / 1024
console.log(
  JSON.stringify({ status, changes: changes.length, removed, ms, cpuMs: (user + system) / 1000, megabytes }),
)
