import { homeAt } from '../../src/config/index.ts'
import { perform, RunLedger, runFile } from '../../src/work/index.ts'
import { assertRule, type Scenario } from './scenario.ts'

const SOURCES = ['a', 'b', 'c', 'd']
const MOST = 200

const open = (directory: string) => new RunLedger(runFile(homeAt(directory), { slug: 'p' }))

/** Scheduled runs: the ledger is whole, one run lives for each source, and what ended stays as it ended. */
export const scenario: Scenario = {
  name: 'runs',

  async child(directory, acknowledge) {
    const ledger = open(directory)
    const signal = new AbortController().signal
    const again = async (source: string) => {
      for (let count = 0; ; count++) {
        const performed = await perform(ledger, {
          trigger: 'schedule',
          source,
          signal,
          advance: async () => acknowledge(`advanced ${source}`),
          work: async ({ id }) => {
            acknowledge(`injected ${id}`)
            if (count % 3 === 2) throw new Error('broken')
          },
        })
        assertRule('run' in performed, `a dead process does not block ${source}`)
        acknowledge(`ended ${performed.run.id} ${performed.ending.status}`)
      }
    }
    await Promise.all(SOURCES.map(again))
  },

  async check(directory, acknowledged) {
    const ledger = open(directory)
    const runs = ledger.runs()
    assertRule(runs.length <= MOST, `${runs.length} runs are kept, of ${MOST}`)
    const known = new Map(runs.map(run => [run.id, run.status]))
    for (const record of acknowledged) {
      const [deed = '', id = '', status = ''] = record.split(' ')
      const found = known.get(id)
      if (deed === 'ended' && found) assertRule(found === status, `${id} ended as ${status} and is ${found}`)
      if (deed === 'injected' && found) assertRule(found !== 'queued', `${id} runs and is queued`)
    }
    const last = acknowledged.findLast(record => record.startsWith('ended'))?.split(' ')[1]
    if (last !== undefined) assertRule(known.has(last), `${last}, which ended last, is in the ledger`)
    const live = runs.filter(({ status }) => status === 'queued' || status === 'running')
    const sources = new Set(live.map(({ source }) => source))
    assertRule(sources.size === live.length, 'one run of a source lives')
    const recovered = await ledger.recover()
    assertRule(recovered.length === live.length, 'what the dead process left is recovered')
    assertRule(
      ledger.runs().every(({ status }) => status !== 'running'),
      'nothing runs any more',
    )
  },
}
