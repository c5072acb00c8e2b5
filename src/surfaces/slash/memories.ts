import { oneLine } from '../../memory/index.ts'
import { dropProposals, keepProposals, showProposals } from '../actions/proposals.ts'
import { printChange, printList, printRecalled, printUndone } from '../text/memories.ts'
import { type Completion, memoryOf, needed, type SlashCommand, type SlashContext } from './command.ts'

export const MEMORY_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'memory',
    meanwhile: true,
    usage: '/memory [query]',
    summary: 'everything that is remembered, or what answers a question',
    async run(query, context) {
      const memory = memoryOf(context)
      const { columns } = context
      return {
        text: query ? printRecalled(await memory.search(query)) : printList(await memory.list(), columns),
      }
    },
  },
  {
    name: 'remember',
    usage: '/remember TEXT',
    summary: 'keep something',
    async run(text) {
      return { say: `Remember: ${needed(text, '/remember I deploy on Fridays')}` }
    },
  },
  {
    name: 'forget',
    usage: '/forget FILE|TEXT',
    summary: 'forget a memory; it stays in the trash for 30 days',
    async complete(_, context) {
      const listed = await memoryOf(context).list()
      return listed.map(({ file, description }) => ({ value: file, note: oneLine(description) }))
    },
    async run(text, context) {
      const what = needed(text, '/forget user_prefers-tabs.md')
      if (!/^\S+\.md$/.test(what)) return { say: `Forget what you remember about ${what}` }
      return { text: printChange('Forgot', await memoryOf(context).forget(what)) }
    },
  },
  {
    name: 'undo',
    usage: '/undo [ID]',
    summary: 'take back a change of memories, the last one unless told',
    async run(id, context) {
      return { text: printUndone(await memoryOf(context).undo(id || undefined)) }
    },
  },
  {
    name: 'keep',
    meanwhile: true,
    usage: '/keep [ID|all]',
    summary: 'remember what was proposed; without an id: what waits for your yes',
    complete: proposed,
    async run(id, context) {
      const memory = memoryOf(context)
      return { text: (await (id ? keepProposals(memory, id) : showProposals(memory))).text }
    },
  },
  {
    name: 'drop',
    meanwhile: true,
    usage: '/drop ID|all',
    summary: 'let go of what was proposed',
    complete: proposed,
    async run(id, context) {
      return { text: (await dropProposals(memoryOf(context), needed(id, '/drop all'))).text }
    },
  },
]

async function proposed(_: string, context: SlashContext): Promise<Completion[]> {
  const { listProposals } = await import('../../extraction/index.ts')
  return listProposals(memoryOf(context)).map(({ id, name }) => ({ value: id, note: oneLine(name) }))
}
