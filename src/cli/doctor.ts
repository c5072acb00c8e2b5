import type { Command } from 'commander'
import { styled } from '../surfaces/text/styled.ts'
import { runChecks } from './doctor-checks.ts'
import { Invocation } from './invocation.ts'

const TRY = `Try
  reverie -m "I prefer tabs for indentation. Remember that."
  reverie -m "What did I tell you about my preferences?"
  reverie                   talk in the terminal
  reverie help              all commands`

const MARKS = {
  ok: styled('green', '✓'),
  note: styled('blue', '·'),
  warning: styled('yellow', '!'),
  problem: styled('red', '✗'),
}

export function define(command: Command): void {
  command
    .addHelpText('after', '\nExamples:\n  $ reverie doctor\n  $ reverie doctor --json | jq .ok\n')
    .action((_, self: Command) => doctor(new Invocation(self)))
}

async function doctor(invocation: Invocation): Promise<void> {
  const checks = await runChecks(invocation)
  const ok = checks.every(({ status }) => status !== 'problem')
  if (!ok) invocation.fail()
  invocation.output.result({ ok, checks }, () => {
    const lines = checks.flatMap(({ name, status, detail, fix }) => [
      `${MARKS[status]} ${styled('bold', name.padEnd(9))} ${detail}`,
      ...(fix ? [`            ${styled('dim', '→')} ${fix}`] : []),
    ])
    return ['Reverie: an AI agent that remembers', '', ...lines, '', TRY].join('\n')
  })
}
