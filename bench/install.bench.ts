/** What somebody downloads who installs the published package: its archive, and those of everything it depends on. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { printTable, round } from './report.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MB = 2 ** 20
const SHOWN = 12

interface Packed {
  name: string
  packed: number
  unpacked: number
}

export async function run(args: string[]): Promise<void> {
  const [own, others] = [packOwn(), dependencies().map(packInstalled)]
  const all = [own, ...others].toSorted((a, b) => b.packed - a.packed)
  const sum = (of: (each: Packed) => number) => all.reduce((total, each) => total + of(each), 0)
  const total = {
    name: `all ${all.length} packages`,
    packed: sum(each => each.packed),
    unpacked: sum(each => each.unpacked),
  }
  const rows = [total, own, ...all.filter(each => each !== own).slice(0, SHOWN)].map(
    ({ name, packed, unpacked }) => ({
      package: name,
      'packed MB': round(packed / MB, 1),
      'unpacked MB': round(unpacked / MB, 1),
    }),
  )
  if (args.includes('--json')) console.log(JSON.stringify(rows))
  else printTable('Install: what is downloaded, the largest first', rows)
}

/** `npm pack` would build again for a dry run too; what is packed is what `npm run build` makes. */
function packOwn(): Packed {
  execFileSync('npm', ['run', '-s', 'build'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
  const text = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const [{ size, unpackedSize, name }] = JSON.parse(text) as [
    { size: number; unpackedSize: number; name: string },
  ]
  return { name, packed: size, unpacked: unpackedSize }
}

/** Where each package is that an installation without development has, those for this kind of machine among them. */
function dependencies(): string[] {
  const text = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return text.split('\n').filter(path => path.includes('node_modules'))
}

/** Packed again as the registry has it: without what was installed inside of it. */
function packInstalled(directory: string): Packed {
  const aside = mkdtempSync(join(tmpdir(), 'reverie-install-'))
  try {
    const file = join(aside, 'package.tgz')
    execFileSync('tar', ['-czf', file, '--exclude=./node_modules', '-C', directory, '.'])
    const [, name = directory] = directory.split(/.*node_modules\//)
    return { name, packed: statSync(file).size, unpacked: sizeOf(directory) }
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

function sizeOf(directory: string): number {
  return readdirSync(directory, { withFileTypes: true }).reduce((total, entry) => {
    if (entry.name === 'node_modules') return total
    const path = join(directory, entry.name)
    return total + (entry.isDirectory() ? sizeOf(path) : entry.isFile() ? statSync(path).size : 0)
  }, 0)
}
