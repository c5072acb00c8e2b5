import { type DreamProgress, dreamLog, progressLine } from '../../dream/index.ts'
import { ReverieError } from '../../store/index.ts'
import { dreamContextOf, runDream, showLog, showOne, showStatus, takeBack } from '../actions/dreams.ts'
import { type Completion, memoryOf, needed, type SlashCommand, type SlashContext } from './command.ts'

const WAYS: readonly Completion[] = [
  { value: 'force', note: 'now, whether it is time or not' },
  { value: 'dry-run', note: 'what it would change, and change nothing' },
  { value: 'status', note: 'when the last one was, and what the next one waits for' },
]

export const DREAM_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'dream',
    usage: '/dream [force|dry-run|status]',
    summary: 'merge, correct and prune what is remembered; every change can be undone',
    complete: async () => WAYS,
    async run(how, context) {
      const about = await dreamContextOf(context, memoryOf(context), context.agent.transcript.id)
      if (how === 'status') return { text: (await showStatus(about)).text }
      if (!['', 'force', 'dry-run'].includes(how))
        throw new ReverieError('/dream, /dream force, /dream dry-run or /dream status')
      const { signal, progress } = context
      let so: DreamProgress = {}
      const options = {
        force: how !== 'dry-run',
        dryRun: how === 'dry-run',
        ...(signal && { signal }),
        progress(news: DreamProgress) {
          so = { ...so, ...news }
          progress?.(`dreaming: ${progressLine(so)}`)
        },
      }
      return { text: (await runDream(about, options)).text }
    },
  },
  {
    name: 'dream-log',
    meanwhile: true,
    usage: '/dream-log [ID]',
    summary: 'the dreams that changed something, or what one of them did',
    complete: (_, context) => dreamIds(context),
    async run(id, context) {
      const memory = memoryOf(context)
      return { text: (await (id ? showOne(memory, id) : showLog(memory, context.columns))).text }
    },
  },
  {
    name: 'dream-restore',
    usage: '/dream-restore ID',
    summary: 'take a dream back; later ones do not do the same',
    complete: (_, context) => dreamIds(context),
    async run(id, context) {
      return { text: (await takeBack(memoryOf(context), needed(id, '/dream-restore 7f3a'), false)).text }
    },
  },
]

async function dreamIds(context: SlashContext): Promise<Completion[]> {
  const dreams = await dreamLog(memoryOf(context))
  return dreams.map(({ id, message }) => ({ value: id, note: message }))
}
