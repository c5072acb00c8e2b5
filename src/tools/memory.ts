import { z } from 'zod'
import { MEMORY_TYPES, type Memory, type Origin, type Recalled, SCOPES, type Scope } from '../memory/index.ts'
import { defineTool, type Tool } from './tool.ts'

/** How much of each memory's body a search tells; all of it is in the file. */
const BODY_SHOWN = 1_000
const FOUND_AT_MOST = 10
const MOST_ASKED_FOR = 50

const type = z.enum(MEMORY_TYPES)

/** Keeping, finding and forgetting, for the agent. */
export function memoryTools(memory: Memory, from: SavedFrom): Tool[] {
  return [saveTool(memory, from), searchTool(memory), forgetTool(memory)]
}

export interface SavedFrom {
  session(): string
  /** Where it goes when nothing else is said; all of it, when the caller is only let in there. */
  scope?: Scope
  /** `owner` only where nobody's words but the owner's can have come in. */
  origin(): Origin
}

function saveTool(memory: Memory, { session, origin, scope: only }: SavedFrom): Tool {
  return defineTool({
    name: 'memory_save',
    description:
      'Keeps something for later conversations, or brings the memory of that type and name up to date. ' +
      'Search first, and update what is there under its own name. Returns the file, and an id that undoes it.',
    input: z.object({
      type: type.describe(
        'user: who the owner is and prefers; feedback: how to work; project: goals and decisions; reference: where something is found',
      ),
      name: z.string().min(1).describe('a few words'),
      description: z.string().min(1).describe('one line, by which it is found again'),
      body: z
        .string()
        .describe(
          'all of it; for feedback and project: the rule or fact, then **Why:** and **How to apply:**',
        ),
      scope: z.enum(SCOPES).optional().describe('project unless it is true in every project (user)'),
    }),
    async run(input) {
      const { scope: asked, ...draft } = input
      const scope = only ?? asked
      const saved = await memory.save({
        ...draft,
        ...(scope && { scope }),
        origin: origin(),
        sources: [session()],
      })
      const { file, created, unchanged, entry, warnings } = saved
      const text = JSON.stringify({ file, created, unchanged, scope: saved.scope, undo: entry ?? null })
      const effect = { kind: 'remembered' as const, name: draft.name, file, created, undo: entry, warnings }
      return { text, effects: unchanged ? [] : [effect] }
    },
  })
}

function searchTool(memory: Memory): Tool {
  return defineTool({
    name: 'memory_search',
    description:
      'The memories nearest to a question, best first, each with its file and its age; without a query the newest ones. ' +
      'What comes back was true when it was saved: check it before relying on it.',
    input: z.object({
      query: z.string().optional(),
      type: type.optional().describe('only memories of this type'),
      k: z.int().min(1).max(MOST_ASKED_FOR).optional(),
    }),
    readOnly: true,
    async run({ query, type, k = FOUND_AT_MOST }) {
      const found = query?.trim()
        ? await memory.search(query, type ? MOST_ASKED_FOR : k)
        : await newest(memory)
      const wanted = found.filter(each => type === undefined || each.type === type).slice(0, k)
      const told = await Promise.all(wanted.map(each => withBody(memory, each)))
      return { text: JSON.stringify(told) }
    },
  })
}

type Found = Pick<Recalled, 'file' | 'scope' | 'name' | 'type' | 'description' | 'ageDays' | 'origin'>

function newest(memory: Memory): Promise<Found[]> {
  return memory.list()
}

async function withBody(memory: Memory, { file, scope, name, type, description, ageDays, origin }: Found) {
  const { body, note } = await memory.get(file, scope)
  return {
    file,
    scope,
    name,
    type,
    description,
    ageDays,
    note,
    origin,
    body: body.trim().slice(0, BODY_SHOWN),
  }
}

function forgetTool(memory: Memory): Tool {
  return defineTool({
    name: 'memory_forget',
    description:
      'Moves a memory to the trash, where it stays for 30 days. Only when the owner asks for it, or it is plainly wrong. ' +
      'Returns an id that undoes it.',
    input: z.object({ file: z.string().describe('the file name that memory_search gave') }),
    async run({ file }) {
      const { name } = await memory.get(file)
      const { entry, warnings } = await memory.forget(file, { by: 'Reverie' })
      const effect = { kind: 'forgotten' as const, name, file, undo: entry, warnings }
      return { text: JSON.stringify({ file, undo: entry ?? null }), effects: [effect] }
    },
  })
}
