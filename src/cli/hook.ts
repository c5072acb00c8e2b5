import type { Command } from 'commander'
import { type LaterTask, runHook, workLater } from '../surfaces/hook/index.ts'

const ABOUT = `
Other agents run this by themselves, once \`reverie connect AGENT\` has written it into their settings. It takes what
happened as JSON on standard input and answers in that agent's form. EVENT is start, prompt, stop or end; AGENT is
claude-code, codex, cursor or gemini. It never takes longer than two seconds and always ends with 0.
`

/** The way in that loads nothing else: \`bin/entry.cjs\` calls it before there is a command line to read. */
export async function main(words: readonly string[]): Promise<void> {
  const [first, task] = words
  if (first !== '--later') return runHook(words)
  await workLater(JSON.parse(task ?? '') as LaterTask)
}

/** For who asks for help, or has flags before the command. */
export function define(command: Command): void {
  command
    .argument('[agent]')
    .argument('[event]')
    .addHelpText('after', ABOUT)
    .action((agent: string | undefined, event: string | undefined, _: unknown, self: Command) => {
      const { home } = self.optsWithGlobals<{ home?: string }>()
      return main([agent ?? '', event ?? '', ...(home === undefined ? [] : ['--home', home])])
    })
}
