import type { Command } from 'commander'
import { because } from '../store/index.ts'
import { headLines, listText, outputText, showText, stoppedText } from '../surfaces/actions/background.ts'
import { backgroundDirectory, followOutput, isFinal, readOutput, TaskRecords } from '../work/index.ts'
import { Invocation } from './invocation.ts'

const EXAMPLES = `
Examples:
  $ reverie bg list                    what every conversation in this project runs, and what has ended
  $ reverie bg show sh_1f --follow     what it prints, until it ends
  $ reverie bg stop sh_1f              ends it, with all that it started
`

export function define(command: Command): void {
  command.addHelpText('after', EXAMPLES)
  command
    .command('list')
    .description('commands, helpers and dreams of this project')
    .option('--running', 'only those that have not ended')
    .action(async ({ running = false }: { running?: boolean }, self: Command) => {
      const { invocation, records } = await open(self)
      const tasks = (await records.list()).filter(({ status }) => !running || !isFinal(status))
      invocation.output.result(tasks, () => listText(tasks))
    })
  command
    .command('show <id>')
    .description('what is known of one, and what it printed; the beginning of its id is enough')
    .option('-f, --follow', 'go on until it has ended')
    .action(async (id: string, { follow = false }: { follow?: boolean }, self: Command) => {
      const { invocation, records } = await open(self)
      const found = await records.find(id)
      if (follow) await followTask(records, found.id, invocation)
      const task = follow ? await records.find(found.id) : found
      const output = await readOutput(task.outputFile, { growing: !isFinal(task.status) })
      const { text, from, size } = output
      const value = { ...task, output: { text, from, size } }
      invocation.output.result(value, () => (follow ? headLines(task).join('\n') : showText(task, output)))
    })
  command
    .command('stop <id>')
    .description('end one, whichever process runs it')
    .action(async (id: string, _: unknown, self: Command) => {
      const { invocation, records } = await open(self)
      const { status } = await records.find(id)
      const task = await records.stopElsewhere(id)
      invocation.output.result(task, () => stoppedText(task, status))
    })
}

/** What processes that are gone have left is marked first, so that nobody waits for it. */
async function open(self: Command) {
  const invocation = new Invocation(self)
  const records = new TaskRecords(backgroundDirectory(invocation.home, invocation.project))
  // A disk that is full keeps nobody from looking.
  await records
    .recover(new Date())
    .catch(error => invocation.output.message(`What was left could not be marked: ${because(error)}.`))
  return { invocation, records }
}

async function followTask(records: TaskRecords, id: string, { output }: Invocation): Promise<void> {
  const { outputFile } = await records.find(id)
  const isOver = async () => {
    const task = records.read(id) // its process may have ended without a word
    return task === undefined || isFinal(task.status)
  }
  for await (const text of followOutput(outputFile, isOver))
    if (!output.json) process.stdout.write(outputText(text))
}
