import { z } from 'zod'
import { ReverieError } from '../store/index.ts'
import { defineTool, type Tool } from './tool.ts'

class NobodyThere extends ReverieError {}

/** A question to the person, in the middle of the work. */
export function askUserTool(): Tool {
  return defineTool({
    name: 'ask_user',
    description:
      'Asks the person one question and waits for the answer. Only for what cannot be found out otherwise and would change what you do.',
    input: z.object({
      question: z.string().min(1),
      options: z.array(z.string().min(1)).max(6).optional().describe('answers to choose from'),
    }),
    readOnly: true,
    concurrent: false,
    async run({ question, options = [] }, { ask, signal }) {
      if (!ask)
        throw new NobodyThere(
          'Nobody is there to answer. Decide yourself, and say in your reply what you assumed.',
        )
      return { text: await ask({ question, options }, signal) }
    },
  })
}
