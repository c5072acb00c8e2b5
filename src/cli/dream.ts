import type { Command } from 'commander'
import { DreamFailed, DreamStopped } from '../dream/index.ts'
import { MemoryIsOff } from '../memory/index.ts'
import { NO_USAGE } from '../session/index.ts'
import { ReverieError } from '../store/index.ts'
import {
  type DreamAnswer,
  dreamContextOf,
  runDream,
  showDiary,
  showLog,
  showOne,
  showStatus,
  stopDream,
  takeBack,
} from '../surfaces/actions/dreams.ts'
import { Invocation } from './invocation.ts'

const EXAMPLES = `
Examples:
  $ reverie dream --dry-run        what a dream would change, as a diff; nothing is changed
  $ reverie dream --force          dream now, whether it is time or not
  $ reverie dream log              every dream that changed something
  $ reverie dream show 7f3a        what one changed, and why
  $ reverie dream restore 7f3a     take it back, for good; --again lets it be dreamt anew
`

export function define(command: Command): void {
  command
    .addHelpText('after', EXAMPLES)
    .option('--force', 'although it is not time yet')
    .option('--dry-run', 'show what would be changed, and change nothing')
    .action(async (flags: { force?: boolean; dryRun?: boolean }, self: Command) => {
      const controller = new AbortController()
      const stop = () => controller.abort(new Error('stopped'))
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
      await answer(self, async invocation => {
        if (!invocation.flags.memory) throw new MemoryIsOff()
        using memory = await invocation.memory()
        const context = await dreamContextOf(invocation, memory)
        const { signal } = controller
        const started = performance.now()
        if (!invocation.output.json) return await runDream(context, { ...flags, signal })
        return await runDream(context, { ...flags, signal }).catch(error => {
          if (!(error instanceof ReverieError)) throw error
          // One document, whatever came of it.
          invocation.fail()
          return { value: failedReport(error, Math.round(performance.now() - started)), text: '' }
        })
      })
    })
  const sub = (name: string, description: string) => command.command(name).description(description)
  sub('status', 'when the last dream was, and what the next one waits for').action(
    (_: unknown, self: Command) =>
      answer(self, async invocation => {
        using memory = await invocation.memory()
        return await showStatus(await dreamContextOf(invocation, memory))
      }),
  )
  sub('log', 'the dreams that changed something, the newest first').action((_: unknown, self: Command) =>
    answer(self, withMemory(showLog)),
  )
  sub('diary', 'what was learnt and let go, in words').action((_: unknown, self: Command) =>
    answer(self, withMemory(showDiary)),
  )
  sub('stop', 'stop the dream that goes on now').action((_: unknown, self: Command) =>
    answer(
      self,
      withMemory(async memory => stopDream(memory)),
    ),
  )
  sub('show <id>', 'what a dream changed').action((id: string, _: unknown, self: Command) =>
    answer(
      self,
      withMemory(memory => showOne(memory, id)),
    ),
  )
  sub('restore <id>', 'take a dream back; later ones do not do the same')
    .option('--again', 'let what it read be dreamt anew')
    .action((id: string, { again = false }: { again?: boolean }, self: Command) =>
      answer(
        self,
        withMemory(memory => takeBack(memory, id, again)),
      ),
    )
}

type WithMemory = (memory: Awaited<ReturnType<Invocation['memory']>>) => Promise<DreamAnswer>

function withMemory(work: WithMemory) {
  return async (invocation: Invocation) => {
    using memory = await invocation.memory()
    return await work(memory)
  }
}

async function answer(self: Command, work: (invocation: Invocation) => Promise<DreamAnswer>): Promise<void> {
  const invocation = new Invocation(self)
  const { value, text } = await work(invocation)
  invocation.output.result(value, () => text)
}

function failedReport(error: ReverieError, ms: number) {
  const { input, output } = error instanceof DreamFailed ? error.usage : NO_USAGE
  const status = error instanceof DreamStopped ? 'aborted' : 'failed'
  return { status, changes: [], tokens: { in: input, out: output }, ms, warnings: [error.message] }
}
