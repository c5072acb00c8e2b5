import { z } from 'zod'
import { defineTool, type Tool } from '../tool.ts'
import type { BackgroundShells } from './background-shells.ts'
import { SHOWN_CHARACTERS } from './limits.ts'
import { readable } from './shown-output.ts'

const id = z.string().describe('as bash or bg_list gave it')

/** Looking after what bash started in the background. */
export function backgroundTools(background: BackgroundShells): Tool[] {
  return [listTool(background), readTool(background), stopTool(background)]
}

function listTool(background: BackgroundShells): Tool {
  return defineTool({
    name: 'bg_list',
    description: 'The commands that run in the background, and those that ended there.',
    input: z.object({}),
    readOnly: true,
    async run() {
      return { text: JSON.stringify(background.list()) }
    },
  })
}

function readTool(background: BackgroundShells): Tool {
  return defineTool({
    name: 'bg_read',
    description:
      'What a background command printed: its last part, or from a byte on. Ends with where to read on. ' +
      'You are told when a command ends, so there is no need to look again and again.',
    input: z.object({
      id,
      from: z.int().min(0).optional().describe('the byte to begin with; "next" of the last reading'),
    }),
    readOnly: true,
    resultLimit: SHOWN_CHARACTERS,
    async run({ id, from }) {
      const output = await background.read(id, from)
      const { status, exitCode, waitingFor } = background.get(id)
      const notes = [
        `bytes ${output.from} to ${output.next} of ${output.size}; next: ${output.next}`,
        `${status}${exitCode === null ? '' : ` with exit code ${exitCode}`}`,
        ...(waitingFor === undefined
          ? []
          : [`waits for an answer ("${waitingFor}") that nobody can type: stop it`]),
      ]
      return { text: `${readable(output.text)}\n\n[${notes.join('; ')}]` }
    },
  })
}

function stopTool(background: BackgroundShells): Tool {
  return defineTool({
    name: 'bg_stop',
    description: 'Ends a background command with all that it started.',
    input: z.object({ id }),
    async run({ id }) {
      const before = background.get(id).status
      const { status } = await background.stop(id)
      return { text: before === 'running' ? `${id} was stopped.` : `${id} had ended before: ${status}.` }
    },
  })
}
