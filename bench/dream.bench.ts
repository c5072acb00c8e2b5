import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeMemoryFiles } from './memory-files.ts'
import { printTable, round } from './report.ts'
import { writeSessionFile } from './session-files.ts'

/** A whole dream of the embedded mind, from gathering to the journal, with planted duplicates; beside a bare Node start. */
const CHILD = fileURLToPath(new URL('dream-child.ts', import.meta.url))
/** As bin/reverie and bin/entry.cjs start it. */
const FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=50', '--no-maglev']
const SESSION_MEGABYTES = 0.1
const PLANTED = 50

interface Measured {
  changes: number
  removed: string[]
  ms: number
  cpuMs: number
  megabytes: number
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      count: { type: 'string', default: '1000' },
      sessions: { type: 'string', default: '200' },
      json: { type: 'boolean' },
    },
  })
  const root = mkdtempSync(join(tmpdir(), 'reverie-bench-'))
  try {
    const home = join(root, 'home')
    const directory = join(home, 'projects', 'p', 'memory')
    writeMemoryFiles(directory, Number(values.count) - PLANTED)
    const planted = plantDuplicates(directory)
    for (let number = 0; number < Number(values.sessions); number++)
      await writeSessionFile(join(home, 'projects', 'p', 'sessions', `s${number}.jsonl`), {
        megabytes: SESSION_MEGABYTES,
        seed: number,
      })
    const told = execFileSync(process.execPath, [...FLAGS, CHILD, home, root], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    })
    const { changes, removed, ms, cpuMs, megabytes } = JSON.parse(told) as Measured
    const gone = new Set(removed)
    const found = planted.filter(pair => pair.some(file => gone.has(file))).length
    const bare = bareMegabytes()
    const rows = [
      { what: 'seconds', dream: round(ms / 1000, 1), must: '≤ 30', 'bare node': '' },
      { what: 'seconds of processor time', dream: round(cpuMs / 1000, 1), must: '', 'bare node': '' },
      { what: 'largest RSS, MB', dream: round(megabytes, 0), must: '≤ 300', 'bare node': round(bare, 0) },
      { what: `planted duplicates joined, of ${PLANTED}`, dream: found, must: PLANTED, 'bare node': '' },
      { what: 'changes in all', dream: changes, must: '', 'bare node': '' },
    ]
    if (values.json) console.log(JSON.stringify(rows))
    else printTable(`One dream over ${values.count} memories and ${values.sessions} sessions`, rows)
  } finally {
    rmSync(root, { recursive: true })
  }
}

/** Copies of some memories under another name. */
function plantDuplicates(directory: string): [string, string][] {
  const files = readdirSync(directory).filter(name => name !== 'MEMORY.md')
  return files.slice(0, PLANTED).map((file, at) => {
    const text = readFileSync(join(directory, file), 'utf8')
    const copy = file.replace('.md', `_again_${at}.md`)
    writeFileSync(join(directory, copy), text.replace(/^name: (.*)$/m, 'name: $1 again'))
    return [file, copy]
  })
}

function bareMegabytes(): number {
  const script = 'console.log(process.resourceUsage().maxRSS / 1024)'
  return Number(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }))
}
