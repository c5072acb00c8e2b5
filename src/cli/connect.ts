import { createInterface } from 'node:readline/promises'
import { Argument, type Command } from 'commander'
import { ReverieError } from '../store/index.ts'
import {
  OTHER_AGENTS,
  type Plan,
  planConnect,
  type Standing,
  standings,
  thisMachine,
} from '../surfaces/connect/index.ts'
import { printable } from '../surfaces/text/printable.ts'
import { styled, styledError } from '../surfaces/text/styled.ts'
import { Invocation } from './invocation.ts'

const EXAMPLES = `
Examples:
  $ reverie connect                       which agents are here, and how they stand
  $ reverie connect claude-code           shows the change, and asks
  $ reverie connect codex --dry-run
  $ reverie connect cursor --yes

The other agent's own memory stays as it is. \`reverie disconnect AGENT\` takes it all out again.
`

export interface EditFlags {
  yes?: boolean
  dryRun?: boolean
}

/** A change of another program's settings that nobody has said yes to. */
class NotAgreed extends ReverieError {}

export function define(command: Command): void {
  command
    .addArgument(agentArgument('[agent]', 'the agent to put memory into'))
    .option('-y, --yes', 'write it without a question')
    .option('--dry-run', 'show what would be written, and write nothing')
    .addHelpText('after', EXAMPLES)
    .action(async (id: string | undefined, flags: EditFlags, self: Command) => {
      const invocation = new Invocation(self)
      const { home, env, output } = invocation
      const machine = thisMachine(home, env)
      if (id === undefined) {
        const listed = await standings(home, machine)
        return output.result(listed, () => printStandings(listed))
      }
      const agent = agentOf(id)
      if (machine.program.some(word => word.includes('/_npx/')))
        output.message(
          'This Reverie runs from the cache of npx, which is emptied now and then. Install it first: npm install --global reverie',
        )
      const plan = await planConnect({ agent, machine, home })
      await carryOut(invocation, plan, flags, {
        id,
        done: `${agent.name} is connected. ${agent.afterwards(machine).join('\n')}\nUndo: reverie disconnect ${id}`,
        nothing: `${agent.name} is connected already; nothing changed.`,
      })
    })
}

export function agentArgument(usage: string, description: string): Argument {
  return new Argument(usage, description).choices(OTHER_AGENTS.map(({ id }) => id))
}

export function agentOf(id: string): (typeof OTHER_AGENTS)[number] {
  const agent = OTHER_AGENTS.find(each => each.id === id)
  if (!agent) throw new NotAgreed(`${id} is not an agent that Reverie knows.`)
  return agent
}

interface Words {
  id: string
  done: string
  nothing: string
}

/** Shows a plan, asks, and does it. */
export async function carryOut(
  { output }: Invocation,
  plan: Plan,
  { yes = false, dryRun = false }: EditFlags,
  { id, done, nothing }: Words,
): Promise<void> {
  const { changes, notes } = plan
  const files = changes.map(({ path, before, after }) => ({
    path,
    action: before === null ? 'create' : after === null ? 'remove' : 'change',
  }))
  const told = (written: boolean) => ({ agent: id, written, files, notes })
  for (const note of notes) output.message(`${styledError('yellow', '!')} ${printable(note)}`)
  if (changes.length === 0) {
    if (!dryRun) await plan.apply()
    return output.result(told(false), () => nothing)
  }
  if (!output.json) process.stdout.write(await printChanges(plan))
  if (dryRun) return output.result(told(false), () => 'Nothing was written (--dry-run).')
  if (!yes && !(await agrees(output.json)))
    throw new NotAgreed('Nothing was written. --yes writes it without a question.')
  await plan.apply()
  output.result(told(true), () => done)
}

/** Only somebody at a terminal can be asked. */
async function agrees(json: boolean): Promise<boolean> {
  if (json || !process.stdin.isTTY || !process.stdout.isTTY) return false
  using lines = createInterface({ input: process.stdin, output: process.stdout })
  return /^y(?:es)?$/i.test((await lines.question('Write this? [y/N] ')).trim())
}

async function printChanges({ changes }: Plan): Promise<string> {
  const { createTwoFilesPatch } = await import('diff')
  const shown = changes.map(({ path, before, after }) => {
    const patch = createTwoFilesPatch(
      before === null ? '/dev/null' : path,
      after === null ? '/dev/null' : path,
      before ?? '',
      after ?? '',
    )
    return patch.split('\n').slice(1).map(coloured).join('\n')
  })
  return `${shown.join('\n')}\n`
}

function coloured(line: string): string {
  const shown = printable(line)
  if (/^(?:\+\+\+|---) /.test(line)) return styled('bold', shown)
  if (line.startsWith('+')) return styled('green', shown)
  return line.startsWith('-') ? styled('red', shown) : styled('dim', shown)
}

const MARKS: Readonly<Record<Standing['state'], string>> = {
  absent: ' ',
  unconnected: '·',
  connected: styled('green', '✓'),
  outdated: styled('yellow', '!'),
  broken: styled('red', '✗'),
  unreadable: styled('red', '✗'),
}

function printStandings(listed: readonly Standing[]): string {
  return listed
    .map(({ agent, state, detail }) => {
      const mend = state === 'outdated' || state === 'broken' ? `: reverie connect ${agent}` : ''
      const shown =
        state === 'unconnected' ? `not connected: ${detail}` : `${state} (${printable(detail)})${mend}`
      const line = `${MARKS[state]} ${agent.padEnd(12)} ${state === 'absent' ? detail : shown}`
      return state === 'absent' ? styled('dim', line) : line
    })
    .join('\n')
}
