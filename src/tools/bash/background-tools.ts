import { z } from 'zod'
import { type BackgroundTask, type BackgroundTasks, isFinal } from '../../work/index.ts'
import { defineTool, type Tool } from '../tool.ts'
import { SHOWN_CHARACTERS } from './limits.ts'
import { readable } from './shown-output.ts'

const id = z.string().describe('as bash, agent or bg_list gave it')

/** Looking after what runs in the background: commands, helpers and dreams. */
export function backgroundTools(background: BackgroundTasks): Tool[] {
  return [listTool(background), readTool(background), stopTool(background)]
}

function listTool(background: BackgroundTasks): Tool {
  return defineTool({
    name: 'bg_list',
    description:
      'What runs in the background of this conversation, and what ended there: commands, helpers, dreams.',
    input: z.object({}),
    readOnly: true,
    async run() {
      return { text: JSON.stringify((await background.all()).map(shown)) }
    },
  })
}

/** Without what says nothing to a model: which process runs it, and for whom. */
function shown({ owner: _, session: __, createdAt: ___, ...task }: BackgroundTask) {
  return task.kind === 'command' ? { exitCode: null, ...task } : task
}

function readTool(background: BackgroundTasks): Tool {
  return defineTool({
    name: 'bg_read',
    description:
      'What a background task printed: its last part, or from a byte on. Ends with where to read on. ' +
      'You are told when a task ends, so there is no need to look again and again.',
    input: z.object({
      id,
      from: z.int().min(0).optional().describe('the byte to begin with; "next" of the last reading'),
    }),
    readOnly: true,
    resultLimit: SHOWN_CHARACTERS,
    async run({ id, from }) {
      const output = await background.read(id, from)
      const { status, exitCode, waitingFor } = await background.get(id)
      const notes = [
        `bytes ${output.from} to ${output.next} of ${output.size}; next: ${output.next}`,
        `${status}${typeof exitCode === 'number' ? ` with exit code ${exitCode}` : ''}`,
        ...(waitingFor === undefined
          ? []
          : [`waits for an answer ("${waitingFor}") that nobody can type: stop it`]),
      ]
      return { text: `${readable(output.text)}\n\n[${notes.join('; ')}]` }
    },
  })
}

function stopTool(background: BackgroundTasks): Tool {
  return defineTool({
    name: 'bg_stop',
    description: 'Ends a background task with all that it started.',
    input: z.object({ id }),
    async run({ id }) {
      const before = (await background.get(id)).status
      const { status } = await background.stop(id)
      return { text: isFinal(before) ? `${id} had ended before: ${status}.` : `${id} was stopped.` }
    },
  })
}
