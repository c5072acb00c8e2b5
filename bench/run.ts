/** `npm run bench -- NAME [--data FILE] [--json]`: each benchmark is a file beside this one. */
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const names = readdirSync(here)
  .filter(file => file.endsWith('.bench.ts'))
  .map(file => file.slice(0, -'.bench.ts'.length))

const [name, ...args] = process.argv.slice(2)
if (!name || !names.includes(name)) {
  process.stderr.write(`usage: npm run bench -- NAME [--json]\nbenchmarks: ${names.join(', ')}\n`)
  process.exit(2)
}
const { run } = (await import(`./${name}.bench.ts`)) as { run: (args: string[]) => Promise<void> }
await run(args)
