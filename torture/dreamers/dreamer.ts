/**
 * A process that dreams: `node dreamer.ts DIRECTORY MODE`. With `wait` it stays in mid-dream until its stdin ends. What it
 * meets inside is written down; its outcome is one JSON line on stdout.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { DEFAULTS, homeAt } from '../../src/config/index.ts'
import type { Dreamer } from '../../src/dream/dreamer.ts'
import { dream } from '../../src/dream/index.ts'
import { Memory } from '../../src/memory/index.ts'
import { NO_USAGE } from '../../src/session/index.ts'

const [directory = '', mode = ''] = process.argv.slice(2)
const [home, project] = [homeAt(join(directory, 'home')), { root: directory, slug: 'p' }]
const note = (what: string) => appendFileSync(join(directory, 'inside.log'), `${what} ${process.pid}\n`)

const dreamer: Dreamer = {
  name: 'witness',
  async dream({ stage }) {
    note('in')
    if (mode === 'wait') {
      process.stdout.write('dreaming\n')
      await text(process.stdin)
    }
    const file = 'project_fact.md'
    const before = (await stage.read(file)) ?? ''
    const after = before.replace(/Dreamt by \w+/, `Dreamt by ${process.pid}`)
    await stage.write(file, after, { action: 'update', reason: 'somebody was here' })
    note('out')
    return { findings: [], learnt: [], letGo: [], usage: NO_USAGE }
  },
}

using memory = await Memory.open({ home, project })
try {
  const { status, gate } = await dream({ home, project, memory, config: DEFAULTS, dreamer }, { force: true })
  process.stdout.write(`${JSON.stringify({ status, gate })}\n`)
} catch (error) {
  process.stdout.write(`${JSON.stringify({ failed: (error as Error).message })}\n`)
}
