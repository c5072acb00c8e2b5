/** Builds the page into `dist/web/`, unless what is there was made from the same sources. */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const OUT = 'dist/web'
const STAMP = join(OUT, 'made-from.txt')
/** What of it is compiled into the page besides `web/`. */
const SHARED = ['src/surfaces/web/thread.ts', 'package.json']

const made = madeFrom()
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== made) await build()

/** Another process may be doing the same: each builds aside, and whoever is done puts it in place. */
async function build(): Promise<void> {
  const { build } = await import('vite')
  mkdirSync('dist', { recursive: true })
  const aside = mkdtempSync('dist/.web-')
  try {
    const outDir = join(process.cwd(), aside)
    await build({ configFile: 'web/vite.config.ts', logLevel: 'warn', build: { outDir, emptyOutDir: true } })
    writeFileSync(join(aside, 'made-from.txt'), made)
    chmodSync(aside, 0o755)
    while (!put(aside)) await sleep(10)
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

function put(aside: string): boolean {
  const old = mkdtempSync('dist/.old-')
  try {
    if (existsSync(OUT)) renameSync(OUT, join(old, 'web'))
    renameSync(aside, OUT)
    return true
  } catch (error) {
    // Somebody else was faster, or is at it right now.
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    return false
  } finally {
    rmSync(old, { recursive: true, force: true })
  }
}

function madeFrom(): string {
  const hash = createHash('sha256')
  const sources = readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(tsx?|css|html|svg|json)$/.test(name))
    .map(name => join('web', name))
  for (const file of [...sources, ...SHARED].sort()) hash.update(`${file}\0`).update(readFileSync(file))
  return hash.digest('hex')
}
