/** The only hands of a model that extracts: reading, changing and making memories of a copy, one at a time. */
import { z } from 'zod'
import { findQuote, looksInjected, neverSaid } from '../dream/index.ts'
import {
  exclusionOf,
  findSecrets,
  MEMORY_TYPES,
  type MemoryType,
  type Origin,
  oneLine,
  parseEntry,
} from '../memory/index.ts'
import { ReverieError } from '../store/index.ts'
import { defineTool, type Tool } from '../tools/index.ts'
import type { ExtractionTask } from './extractor.ts'
import type { Talk } from './talk.ts'

const quote = z
  .string()
  .optional()
  .describe("the owner's own words, exactly, on which this rests; needed for user and feedback")
const file = z.string().min(1).describe('a file of the list')

export function extractionTools(task: ExtractionTask): Tool[] {
  const { copy } = task
  return [
    defineTool({
      name: 'read',
      description: 'The whole text of a memory.',
      input: z.object({ file }),
      readOnly: true,
      run: async ({ file }) => ({ text: await existing(task, file) }),
    }),
    defineTool({
      name: 'update',
      description: 'Replaces a passage of a memory, which must stand there exactly once.',
      input: z.object({ file, old: z.string().min(1), new: z.string(), quote }),
      async run({ file, old, new: next, quote }) {
        const before = await existing(task, file)
        const after = replaced(file, before, old, next)
        const parsed = parseEntry(before)
        if (!parsed.ok) throw new ReverieError(`${file} is no memory.`)
        if (parsed.entry.pinned) throw new ReverieError(`${file} is pinned by the owner, and stays as it is.`)
        const now = parseEntry(after)
        if (!now.ok) throw new ReverieError(`${file} would no longer be a memory: ${now.problem.detail}.`)
        const kept = (['type', 'pinned', 'origin'] as const).every(
          key => parsed.entry[key] === now.entry[key],
        )
        if (!kept) throw new ReverieError('What kind it is, whose word, and whether it is pinned stay.')
        await copy.update(file, after, await heard(task, { ...now.entry, before, quote }))
        return { text: `${file} was brought up to date.` }
      },
    }),
    defineTool({
      name: 'create',
      description: 'Makes a memory of something that no memory is about.',
      input: z.object({
        type: z.enum(MEMORY_TYPES),
        name: z.string().min(1).max(200).describe('a few words'),
        description: z
          .string()
          .min(1)
          .max(1_000)
          .describe('one line of at most 150 characters, by which it is found again'),
        body: z
          .string()
          .min(1)
          .describe(
            'all of it; for feedback and project: the rule or fact, then **Why:** and **How to apply:**',
          ),
        quote,
      }),
      async run({ quote, ...fields }) {
        const draft = { ...fields, name: oneLine(fields.name), description: oneLine(fields.description) }
        const there = copy.named(draft)
        if (there) throw new ReverieError(`${there.file} is about that. Bring it up to date with update.`)
        const made = copy.create({ ...draft, ...(await heard(task, { ...draft, before: '', quote })) })
        return { text: `${made} was made.` }
      },
    }),
  ]
}

interface Wanted {
  type: MemoryType
  name: string
  description: string
  body: string
  /** What the file said. */
  before: string
  quote: string | undefined
}

/** Who said it, and when. Throws why it is not kept. */
async function heard(
  { memory, talk, now }: ExtractionTask,
  wanted: Wanted,
): Promise<{ origin: Origin; at: Date }> {
  const { type, before, quote, ...rest } = wanted
  const { name, description, body } = rest
  const text = `${name}\n${description}\n${body}`
  const [secret] = await findSecrets(text)
  if (secret)
    throw new ReverieError(`That holds a secret (${secret.kind}), which is never kept. Leave it out.`)
  const excluded =
    before === '' ? exclusionOf({ name, description, body }, await memory.instructions()) : undefined
  if (excluded) throw new ReverieError(`That is not kept. ${excluded.reason}`)
  const owners = talk.turns.filter(({ who }) => who === 'owner').map(({ text }) => text)
  const words = quote === undefined ? undefined : findQuote(quote, owners)
  const at = new Date(talk.turns.find(turn => turn.text === words)?.at ?? talk.turns.at(-1)?.at ?? now)
  if (looksInjected(text, words === undefined ? 'tool' : 'agent') && !looksInjected(before, 'agent'))
    throw new ReverieError("That gives instructions which are not the owner's.")
  if (words === undefined && (type === 'user' || type === 'feedback'))
    throw new ReverieError(
      quote === undefined
        ? 'What is said of the owner needs their words: quote them exactly, or leave it.'
        : 'The owner has not said what is quoted. Quote them exactly, or leave it.',
    )
  if (words === undefined) return { origin: talk.foreign.length > 0 ? 'tool' : 'agent', at }
  const unsaid = neverSaid(text, { said: [before, ...owners], foreign: foreignTo(talk) })
  if (unsaid === undefined) return { origin: 'owner', at }
  if (type === 'user' || type === 'feedback')
    throw new ReverieError(`"${unsaid}" was not said by the owner. Leave it out.`)
  return { origin: 'tool', at }
}

/** What tools returned, and then also what the assistant made of it: a paraphrase comes from where its source does. */
function foreignTo({ foreign, turns }: Talk): readonly string[] {
  if (foreign.length === 0) return []
  return [...foreign, ...turns.filter(({ who }) => who === 'assistant').map(({ text }) => text)]
}

async function existing({ copy }: ExtractionTask, file: string): Promise<string> {
  const text = await copy.read(file)
  if (text === undefined) throw new ReverieError(`There is no ${file} in the list.`)
  return text
}

function replaced(file: string, text: string, old: string, next: string): string {
  if (old === next) throw new ReverieError('That changes nothing. Old and new are the same.')
  const at = text.indexOf(old)
  if (at < 0) throw new ReverieError(`That passage does not stand in ${file}. Read it again.`)
  if (text.includes(old, at + 1))
    throw new ReverieError(`That passage stands in ${file} more than once. Give more of it.`)
  return text.slice(0, at) + next + text.slice(at + old.length)
}
