import type { Command } from 'commander'
import { Skills } from '../skills/index.ts'
import { disable, enable, listSkills, showSkill } from '../surfaces/actions/skills.ts'
import { Invocation } from './invocation.ts'

export function define(command: Command): void {
  command.addHelpText(
    'after',
    `
Examples:
  $ reverie skills list
  $ reverie skills show release-notes       its text, also of one that is only proposed
  $ reverie skills enable release-notes     accept it, or take it back
  $ reverie skills disable release-notes    no model is told of it any more
`,
  )
  command
    .command('list')
    .description("yours, this project's and those that come with Reverie")
    .action((_, self: Command) => answer(self, skills => listSkills(skills)))
  command
    .command('show <name>')
    .description('what one says')
    .action((name: string, _, self: Command) => answer(self, skills => showSkill(skills, name)))
  command
    .command('enable <name>')
    .description('accept one that was proposed, or take one back that was put aside')
    .action((name: string, _, self: Command) =>
      answer(self, (skills, { home }) => enable(home, skills, name)),
    )
  command
    .command('disable <name>')
    .description('put one aside, whosever it is')
    .action((name: string, _, self: Command) =>
      answer(self, (skills, { home }) => disable(home, skills, name)),
    )
}

type Answer = ReturnType<typeof listSkills>

async function answer(
  self: Command,
  act: (skills: Skills, invocation: Invocation) => Answer | Promise<Answer>,
): Promise<void> {
  const invocation = new Invocation(self)
  const { home, project, env, flags, output } = invocation
  const { config } = await invocation.config()
  const directory = flags.project === undefined ? process.cwd() : project.root
  const skills = new Skills({ home, project, directory, env, disabled: config.skills.disabled })
  const { value, text, notes = [] } = await act(skills, invocation)
  for (const note of notes) output.message(note)
  output.result(value, () => text)
}
