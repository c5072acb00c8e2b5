/** A full disk, read-only directories, unreadable files, a clock that goes back: a clear message, and nothing lost. */
import { readdirSync } from 'node:fs'

const SUFFIX = '.disk.ts'

/** One kind of trouble; one file per kind in `disk/`. Throws at a broken rule; tells what was seen, or why it was not tried. */
export type Trouble = () => Promise<string>

export function troubleNames(): string[] {
  const files = readdirSync(new URL('disk/', import.meta.url))
  return files.filter(file => file.endsWith(SUFFIX)).map(file => file.slice(0, -SUFFIX.length))
}

export async function makeTrouble(name: string): Promise<string> {
  const { trouble } = (await import(`./disk/${name}.disk.ts`)) as { trouble: Trouble }
  return trouble()
}

export async function run(): Promise<void> {
  for (const name of troubleNames()) process.stdout.write(`${name}: ${await makeTrouble(name)}\n`)
}
