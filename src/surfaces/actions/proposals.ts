/** What waits for the owner's yes before it is remembered: listing it, and answering. */
import type { Memory } from '../../memory/index.ts'
import { printable } from '../text/printable.ts'

export interface ProposalsAnswer {
  value: unknown
  text: string
}

export async function showProposals(memory: Memory): Promise<ProposalsAnswer> {
  const { listProposals } = await import('../../extraction/index.ts')
  const proposals = listProposals(memory)
  const { createTwoFilesPatch } = await import('diff')
  const texts = proposals.map(({ id, name, file, before, after }) => {
    const what = before === null ? after : createTwoFilesPatch(file, file, before, after).replace(/^=+\n/, '')
    return printable(`${id}  ${before === null ? 'remember' : 'update'} ${name} (${file})\n\n${what.trim()}`)
  })
  return {
    value: proposals.map(({ id, at, session, scope, file, name, before, after }) => {
      return { id, at, session, scope, file, name, before, after }
    }),
    text:
      texts.length === 0
        ? 'Nothing waits for an answer.'
        : [...texts, 'yes: reverie memory keep ID|all · no: reverie memory drop ID|all'].join('\n\n'),
  }
}

export async function keepProposals(memory: Memory, id: string): Promise<ProposalsAnswer> {
  const { keepProposal } = await import('../../extraction/index.ts')
  const { kept, entries, dropped } = await keepProposal(memory, id)
  return {
    value: { kept: kept.map(({ file }) => file), undo: entries, dropped },
    text: [
      kept.length === 0 ? 'Nothing was kept.' : `Kept: ${namesOf(kept)}`,
      ...entries.map(entry => `undo: reverie memory undo ${entry}`),
      ...dropped.map(({ file, why }) => printable(`${file} was left as it is: ${why}`)),
    ].join('\n'),
  }
}

export async function dropProposals(memory: Memory, id: string): Promise<ProposalsAnswer> {
  const { dropProposal } = await import('../../extraction/index.ts')
  const dropped = await dropProposal(memory, id)
  return {
    value: { dropped: dropped.map(({ file }) => file) },
    text: dropped.length === 0 ? 'Nothing waits for an answer.' : `Dropped: ${namesOf(dropped)}`,
  }
}

function namesOf(proposals: readonly { name: string }[]): string {
  return printable(proposals.map(({ name }) => name).join(', '))
}
