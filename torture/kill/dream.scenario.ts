import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULTS, homeAt } from '../../src/config/index.ts'
import { placeOf } from '../../src/dream/dream.ts'
import { DreamLock } from '../../src/dream/dream-lock.ts'
import type { Dreamer } from '../../src/dream/dreamer.ts'
import { dream, dreamLog } from '../../src/dream/index.ts'
import { restoreDream, showDream } from '../../src/dream/journal.ts'
import { Memory } from '../../src/memory/index.ts'
import { History, NO_USAGE } from '../../src/session/index.ts'
import { assertRule, type Scenario } from './scenario.ts'

const FILES = 8
const place = (directory: string) => ({
  home: homeAt(join(directory, 'home')),
  project: { root: directory, slug: 'p' },
})
const open = (directory: string) => Memory.open(place(directory))

/** A mind that lets every memory say the same number: a state in which they differ is half of a dream. */
function numbering(number: number): Dreamer {
  return {
    name: 'numbering',
    async dream({ stage }) {
      for (const file of (await stage.list()).filter(name => name.startsWith('project_'))) {
        const text = (await stage.read(file)) ?? ''
        await stage.write(file, text.replace(/Number \d+/, `Number ${number}`), {
          action: 'update',
          reason: 'it is another number now',
        })
      }
      return { findings: [], learnt: [`Number ${number}`], letGo: [], usage: NO_USAGE }
    },
  }
}

/** Dreaming, applying, committing and restoring: the old state or the new one, never between; everything readable. */
export const scenario: Scenario = {
  name: 'dream',
  longestLifeMs: 1_000,

  async child(directory, acknowledge) {
    using memory = await open(directory)
    for (let at = 0; at < FILES; at++)
      if (!(await memory.list()).some(({ name }) => name === `Fact ${at}`))
        await memory.save({
          type: 'project',
          name: `Fact ${at}`,
          description: `Fact ${at}`,
          body: 'Number 0',
        })
    // A life that was cut while these were made has said nothing yet.
    const history = new History(memory.place('project'))
    for (;;) {
      const number = Date.now() // never one that was undone: that would not be dreamt again
      await history.append(`- note ${number}`)
      acknowledge(`wants ${number}`)
      const before = await numberNow(memory)
      const { id = '' } = await dream(
        { ...place(directory), memory, config: DEFAULTS, dreamer: numbering(number) },
        { force: true },
      )
      acknowledge(`has ${number}`)
      if (number % 3 !== 0) continue
      acknowledge(`wants ${before}`)
      await restoreDream(memory, id)
      acknowledge(`has ${before}`)
    }
  },

  async check(directory, acknowledged) {
    using memory = await open(directory)
    const numbers = [...new Set((await numbersIn(memory)).values())]
    assertRule(numbers.length <= 1, `all memories are of one dream (${numbers.join()})`)
    const { ok, problems } = await memory.doctor()
    assertRule(ok, `doctor is content: ${JSON.stringify(problems.slice(0, 3))}`)
    const had = acknowledged.findLastIndex(record => record.startsWith('has '))
    const possible = acknowledged.slice(Math.max(0, had)).map(record => Number(record.split(' ')[1]))
    if (had >= 0)
      assertRule(
        possible.includes(numbers[0] ?? -1),
        `${numbers[0]} is what was acknowledged or wanted (${possible.join()})`,
      )
    const [newest] = await dreamLog(memory)
    const { cursor = 0 } = newest ? (await showDream(memory, newest.id)).note : {}
    assertRule(
      cursorIn(memory) === cursor,
      `the cursor (${cursorIn(memory)}) is that of the journal (${cursor})`,
    )
    await using _lock = await DreamLock.acquire(placeOf(memory), new Date())
  },
}

async function numbersIn(memory: Memory): Promise<Map<string, number>> {
  const { memories } = await memory.snapshot('project')
  return new Map(memories.map(({ file, body }) => [file, Number(/Number (\d+)/.exec(body)?.[1])]))
}

async function numberNow(memory: Memory): Promise<number> {
  return Math.max(0, ...(await numbersIn(memory)).values())
}

function cursorIn(memory: Memory): number {
  try {
    return Number(readFileSync(join(memory.place('project'), '.dream_cursor'), 'utf8').trim())
  } catch {
    return 0
  }
}
