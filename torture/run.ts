/** `npm run torture -- NAME [--count N] [--seed N]`: each torture is a file beside this one. */
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'

const here = dirname(fileURLToPath(import.meta.url))
const names = readdirSync(here)
  .filter(file => file.endsWith('.torture.ts'))
  .map(file => file.slice(0, -'.torture.ts'.length))

const [name, ...args] = process.argv.slice(2)
if (!name || !names.includes(name)) {
  process.stderr.write(
    `usage: npm run torture -- NAME [--count N] [--seed N]\ntortures: ${names.join(', ')}\n`,
  )
  process.exit(2)
}
const { run } = (await import(`./${name}.torture.ts`)) as { run: (args: string[]) => Promise<void> }
try {
  await run(args)
} catch (error) {
  process.stderr.write(`${inspect(error)}\n`)
  process.exit(1)
}
