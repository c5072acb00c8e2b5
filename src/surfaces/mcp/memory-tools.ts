import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { ageNote, MEMORY_TYPES, RECALLED_AT_MOST, type Recalled, SCOPES } from '../../memory/index.ts'
import { answer, READS, REMOVES, WRITES } from './answer.ts'
import type { Lender } from './lender.ts'

const FOUND_UNLESS_TOLD = 10
const MOST_FOUND = 50

const file = z
  .string()
  .min(1)
  .describe('the file name that another memory tool gave, such as user_prefers-tabs.md')
const scope = z.enum(SCOPES)
const scopeAsked = scope.optional().describe('only where two scopes have a file of this name')
const undo = z.string().nullable().describe('`reverie memory undo ID` takes it back')
const warnings = z.array(z.string())

/** What is known of a memory wherever one is shown. */
const head = {
  file: z.string(),
  scope,
  name: z.string(),
  type: z.enum(MEMORY_TYPES),
  description: z.string(),
  /** Who said it: what did not come from the owner is data. */
  origin: z.string(),
  ageDays: z.int(),
  stale: z.boolean(),
  note: z.string().describe('how old it is, and whether to verify it'),
}

const found = { memories: z.array(z.object({ ...head, score: z.number(), snippet: z.string() })) }

/** Keeping, finding, reading and forgetting, for other programs' agents. */
export function registerMemoryTools(server: McpServer, lender: Lender): void {
  registerSave(server, lender)
  server.registerTool(
    'memory_recall',
    {
      title: 'Recall',
      description:
        'The memories that clearly answer a question, at most five; none when none does. Ask before you ask the owner something they may have told before.',
      inputSchema: { query: z.string().min(1).describe('a question or a few words') },
      outputSchema: found,
      annotations: { ...READS, title: 'Recall' },
    },
    async ({ query }) =>
      answer({ memories: (await lender.memory.recall(query, { k: RECALLED_AT_MOST })).map(toldOf) }),
  )
  server.registerTool(
    'memory_search',
    {
      title: 'Search memory',
      description:
        'The memories nearest to a question, best first, however faintly related; where no word of it is in any, the latest, with score 0. What comes back was true when it was saved: check it before relying on it.',
      inputSchema: {
        query: z.string().min(1),
        k: z.int().min(1).max(MOST_FOUND).default(FOUND_UNLESS_TOLD).describe('how many at most'),
      },
      outputSchema: found,
      annotations: { ...READS, title: 'Search memory' },
    },
    async ({ query, k }) => {
      const found = await lender.memory.search(query, k)
      return answer({ memories: found.length > 0 ? found.map(toldOf) : await latest(lender, k) })
    },
  )
  registerGet(server, lender)
  registerForget(server, lender)
}

function registerSave(server: McpServer, lender: Lender): void {
  server.registerTool(
    'memory_save',
    {
      title: 'Remember',
      description:
        'Keeps something for later conversations, or brings the memory of that type and name up to date. Search first, and update what is there under its own name. Secrets are refused.',
      inputSchema: {
        type: z
          .enum(MEMORY_TYPES)
          .describe(
            'user: who the owner is and prefers; feedback: how to work; project: goals and decisions; reference: where something is found',
          ),
        name: z.string().min(1).describe('a few words'),
        description: z.string().min(1).describe('one line, by which it is found again'),
        body: z
          .string()
          .describe(
            'all of it; for feedback and project: the rule or fact, then **Why:** and **How to apply:**',
          ),
        scope: scope.optional().describe('project, unless it is true in every project (user)'),
      },
      outputSchema: {
        file: z.string(),
        scope,
        created: z.boolean(),
        unchanged: z.boolean(),
        undo,
        index: z.object({ lines: z.int(), bytes: z.int() }),
        dates: z
          .array(z.object({ from: z.string(), to: z.string() }))
          .describe('dates that were made absolute'),
        warnings,
      },
      annotations: { ...WRITES, title: 'Remember', idempotentHint: true },
    },
    async ({ scope: asked, ...draft }) => {
      const saved = await lender.inTurn(() =>
        lender.memory.save({ ...draft, ...(asked && { scope: asked }), origin: 'agent' }),
      )
      const { file, scope, created, unchanged, entry, index, dates, warnings } = saved
      const { lines, bytes } = index
      return answer({
        file,
        scope,
        created,
        unchanged,
        undo: entry ?? null,
        index: { lines, bytes },
        dates,
        warnings,
      })
    },
  )
}

function registerGet(server: McpServer, lender: Lender): void {
  server.registerTool(
    'memory_get',
    {
      title: 'Read a memory',
      description: 'One memory in full, with its age.',
      inputSchema: { file, scope: scopeAsked },
      outputSchema: { ...head, pinned: z.boolean(), body: z.string() },
      annotations: { ...READS, title: 'Read a memory' },
    },
    async ({ file, scope }) => {
      const { body, pinned, ...full } = await lender.memory.get(file, scope)
      return answer({ ...headOf(full), pinned, body: body.trim() })
    },
  )
}

function registerForget(server: McpServer, lender: Lender): void {
  server.registerTool(
    'memory_forget',
    {
      title: 'Forget',
      description:
        'Moves a memory to the trash, where it stays for 30 days. Only when the owner asks for it, or it is plainly wrong. A pinned memory is left alone.',
      inputSchema: { file, scope: scopeAsked },
      outputSchema: { file: z.string(), name: z.string(), undo, warnings },
      annotations: { ...REMOVES, title: 'Forget' },
    },
    async ({ file, scope }) => {
      const { memory } = lender
      const { name } = await memory.get(file, scope)
      const { entry, warnings } = await lender.inTurn(() =>
        memory.forget(file, { by: 'Reverie', ...(scope && { scope }) }),
      )
      return answer({ file, name, undo: entry ?? null, warnings })
    },
  )
}

/** What there is, for whoever asked in words that stand nowhere. */
async function latest({ memory }: Lender, k: number) {
  const listed = (await memory.list()).slice(0, k)
  return listed.map(one => ({
    ...headOf({ ...one, note: ageNote(one) }),
    score: 0,
    snippet: one.description,
  }))
}

type Head = Pick<
  Recalled,
  'file' | 'scope' | 'name' | 'type' | 'description' | 'origin' | 'ageDays' | 'stale' | 'note'
>

function headOf({ file, scope, name, type, description, origin, ageDays, stale, note }: Head): Head {
  return { file, scope, name, type, description, origin, ageDays, stale, note }
}

function toldOf({ score, snippet, ...rest }: Recalled) {
  return { ...headOf(rest), score, snippet }
}
