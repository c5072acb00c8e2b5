/** `/bg`: what runs beside this conversation, and what it printed. */
import type { Agent } from '../../agent/index.ts'
import { ReverieError } from '../../store/index.ts'
import { listText, showText, stoppedText } from '../actions/background.ts'
import type { SlashCommand } from './command.ts'

const USAGE = '/bg [ID | stop ID | run COMMAND]'

export const BACKGROUND_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'bg',
    meanwhile: true,
    usage: USAGE,
    summary: 'what runs in the background: list it, read what one printed, end it, or begin something',
    async complete(argument, { agent }) {
      const [, before = ''] = /^(stop\s+|show\s+)?/.exec(argument) ?? []
      const tasks = await agent.background.all()
      const ids = tasks.map(({ id, status, title }) => ({
        value: `${before}${id}`,
        note: `${status}: ${title}`,
      }))
      if (before !== '') return ids
      return [{ value: 'stop', note: 'end one' }, { value: 'run', note: 'begin a command' }, ...ids]
    },
    async run(argument, { agent, columns, jobs }) {
      const [, command] = /^run\s+([\s\S]+)$/.exec(argument) ?? []
      if (command !== undefined && !jobs.isAttended)
        throw new ReverieError(
          'This conversation ends with its answer, and with it what runs beside it. Begin it where you stay: reverie',
        )
      if (command !== undefined) return { text: await begin(command, agent) }
      return { text: await runBgCommand(argument, agent, columns) }
    },
  },
]

/** The person's own command: nobody is asked whether it may. Its end is told like that of the agent's. */
async function begin(command: string, { hands, background }: Agent): Promise<string> {
  const bash = hands.tools.find(({ name }) => name === 'bash')
  if (!bash) throw new ReverieError('No commands can be run in this conversation.')
  const nobody = { call: 'bg', signal: new AbortController().signal, progress: () => {}, ask: undefined }
  const before = new Set((await background.all()).map(({ id }) => id))
  const { text } = await bash.run({ command, background: true }, nobody)
  const begun = (await background.all()).find(({ id }) => !before.has(id))
  // The tool speaks to an agent.
  return begun === undefined
    ? text
    : `Runs in the background as ${begun.id}. /bg ${begun.id} shows what it printed, /bg stop ${begun.id} ends it.`
}

async function runBgCommand(argument: string, { background }: Agent, columns: number): Promise<string> {
  const tasks = await background.all()
  if (argument === '' || argument === 'list') return listText(tasks, columns)
  const [, stop, start = ''] = /^(stop\s+|show\s+)?(\S+)$/.exec(argument) ?? []
  if (start === '' || ['stop', 'show', 'run'].includes(start))
    throw new ReverieError(`/bg does not know what is meant. It is used like this: ${USAGE}`)
  // The beginning of an id is enough, where it is the only one; what is not found is told with those there are.
  const meant = tasks.filter(({ id }) => id.startsWith(start))
  const id = tasks.some(task => task.id === start) || meant.length !== 1 ? start : (meant[0]?.id ?? start)
  const task = await background.get(id)
  if (stop?.startsWith('stop')) return stoppedText(await background.stop(id), task.status)
  return showText(task, await background.read(id))
}
