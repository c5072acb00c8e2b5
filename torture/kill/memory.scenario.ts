import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMemory } from '../../src/index.ts'
import { parseEntry } from '../../src/memory/entry.ts'
import { assertRule, type Scenario } from './scenario.ts'

const open = (directory: string) => openMemory({ home: join(directory, 'home'), project: directory })

/** Saving, updating, forgetting and restoring: what was acknowledged holds, and doctor is content after a start. */
export const scenario: Scenario = {
  name: 'memory',

  async child(directory, acknowledge) {
    using memory = await open(directory)
    const listed = await memory.list()
    const last = Math.max(0, ...listed.map(({ description }) => numberIn(description)))
    for (let number = last + 1; ; number++) {
      const draft = { type: 'project', name: `Fact ${number % 40}`, description: `Number ${number}` } as const
      const { file } = await memory.save({ ...draft, body: `Body ${number}` })
      acknowledge(`saved ${file} ${number}`)
      if (number % 5 === 4) {
        acknowledge(`forgetting ${file} ${number}`)
        await memory.forget(file)
        acknowledge(`forgot ${file} ${number}`)
        await memory.restore(file)
        acknowledge(`saved ${file} ${number}`)
      }
    }
  },

  async check(directory, acknowledged) {
    using memory = await open(directory)
    const place = memory.place('project')
    for (const file of filesIn(place)) {
      const text = readFileSync(join(place, file), 'utf8')
      assertRule(file === 'MEMORY.md' || parseEntry(text).ok, `${file} is whole`)
    }
    const there = new Map((await memory.list()).map(({ file, description }) => [file, description]))
    const trash = filesIn(join(place, '..', 'trash'))
    for (const [file, { deed, number }] of lastDeeds(acknowledged)) {
      const found = there.get(file)
      // A deed that was begun and not acknowledged may have been done or not; what it began from is not lost.
      const kept = found !== undefined || trash.some(name => name.endsWith(`~${file}`))
      assertRule(kept, `${file} is kept or in the trash`)
      if (deed === 'saved') {
        assertRule(found !== undefined, `${file} is kept`)
        assertRule(numberIn(found) >= number, `${file} is not older than what was acknowledged`)
      }
    }
    const { ok, problems } = await memory.doctor()
    assertRule(ok, `doctor is content: ${JSON.stringify(problems.slice(0, 3))}`)
    for (const { file } of (await memory.list()).slice(0, 2))
      assertRule((await memory.history(file)).length > 0, `${file} is in the journal`)
  },
}

function numberIn(description: string): number {
  return Number(description.slice('Number '.length))
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter(name => name.endsWith('.md'))
  } catch {
    return []
  }
}

function lastDeeds(acknowledged: readonly string[]): Map<string, { deed: string; number: number }> {
  const deeds = new Map<string, { deed: string; number: number }>()
  for (const record of acknowledged) {
    const [deed = '', file = '', number = ''] = record.split(' ')
    deeds.set(file, { deed, number: Number(number) })
  }
  return deeds
}
