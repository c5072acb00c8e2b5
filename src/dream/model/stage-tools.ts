/** The only hands of a model that dreams: files of the stage, one at a time, each change with its reason. */
import { z } from 'zod'
import {
  editEntry,
  findSecrets,
  INDEX_FILE,
  isMemoryFileName,
  parseEntry,
  stamp,
} from '../../memory/index.ts'
import { ReverieError } from '../../store/index.ts'
import { defineTool, type Tool } from '../../tools/index.ts'
import type { KnownSkill, Stage } from '../dreamer.ts'
import { looksInjected } from '../mind/injection.ts'
import { isOwnFile, isSkillFile } from '../own-files.ts'
import { neverSaid } from '../owner-words.ts'
import { LEAST_SESSIONS, proposedSkill } from './skill-file.ts'

/** It is told to the model, which may do better; and to the owner, who should know what was tried. */
class NotAllowed extends ReverieError {}

export interface StageToolOptions {
  stage: Stage
  /** Where the owner has said these words, in a conversation or in what is known of them: all of that text. */
  ownerWords(quote: string): Promise<string | undefined>
  /** What the model was shown that the owner has not said. */
  foreign: readonly string[]
  /** Those that there are. */
  skills: readonly KnownSkill[]
  /** Whether a new one counts before the owner has accepted it. */
  acceptsSkills: boolean
  isSession(id: string): boolean
  now: Date
  /** What was tried and refused. */
  refused(what: string): void
}

const file = z.string().min(1).describe('such as user_prefers_tabs.md, USER.md, or skills/NAME/SKILL.md')
const reason = z.string().min(4).describe('why, in one sentence for the owner')
const quote = z
  .string()
  .optional()
  .describe("the owner's own words, exactly, on which this rests; needed for what is said of the owner")

export function stageTools(options: StageToolOptions): Tool[] {
  const { stage } = options
  const told = async (work: Promise<string>) => {
    try {
      return { text: await work }
    } catch (error) {
      if (error instanceof NotAllowed) options.refused(error.message)
      throw error
    }
  }
  return [
    defineTool({
      name: 'read',
      description: 'The whole text of a file.',
      input: z.object({ file }),
      readOnly: true,
      run: async ({ file }) => ({ text: await existing(stage, file) }),
    }),
    defineTool({
      name: 'edit',
      description: 'Replaces a passage of a file, which must stand there exactly once.',
      input: z.object({ file, old: z.string().min(1), new: z.string(), reason, quote }),
      run: ({ file, old, new: next, reason, quote }) =>
        told(edit(options, { file, old, next, reason, quote })),
    }),
    defineTool({
      name: 'write',
      description:
        'Makes a new memory (frontmatter name, description, type: user, feedback, project or reference; then the body), or a skill at skills/NAME/SKILL.md. For what exists there is edit.',
      input: z.object({
        file,
        text: z.string().min(1),
        reason,
        quote,
        sessions: z
          .array(z.string())
          .optional()
          .describe(
            'for a skill: the ids of the sessions in which that piece of work was done, two at least',
          ),
      }),
      run: input => told(create(options, input)),
    }),
    defineTool({
      name: 'remove',
      description: 'Lets go of a memory. First put what is worth keeping into another one.',
      input: z.object({
        file,
        reason,
        wentTo: z.string().min(4).describe('the file that has its content now, or why nobody needs it'),
      }),
      run: ({ file, reason, wentTo }) => told(remove(options, { file, reason, wentTo })),
    }),
  ]
}

interface Write {
  file: string
  text: string
  reason: string
  quote?: string | undefined
  sessions?: readonly string[] | undefined
}

async function create(options: StageToolOptions, wanted: Write): Promise<string> {
  const { file, reason, quote } = wanted
  refuseName(file)
  if ((await options.stage.read(file)) !== undefined)
    throw new NotAllowed(`${file} is there already. Change it with edit.`)
  if (isOwnFile(file)) throw new NotAllowed(`${file} is the owner's; it is not made here.`)
  const text = isSkillFile(file) ? skillText(options, wanted) : wanted.text
  const isOwners = await refuseText(options, { before: '', after: text, file, quote })
  const made = isSkillFile(file) ? text : asNew(text, { isOwners, now: options.now })
  await options.stage.write(file, made, { action: 'create', reason })
  return `${file} was made.`
}

/** Seen twice at least, and about nothing that a skill is about already. */
function skillText(
  { skills, acceptsSkills, isSession }: StageToolOptions,
  { file, text, sessions = [] }: Write,
) {
  if (new Set(sessions.filter(isSession)).size < LEAST_SESSIONS)
    throw new NotAllowed(
      `${file}: a skill is a piece of work that was done in ${LEAST_SESSIONS} sessions at least. Name them.`,
    )
  return proposedSkill(file, text, { known: skills, isAccepted: acceptsSkills })
}

/** Whose word it is, and that it is nobody's to pin, is not for its writer to say. */
function asNew(text: string, { isOwners, now }: { isOwners: boolean; now: Date }): string {
  const at = stamp(now)
  return editEntry(text, { origin: isOwners ? 'owner' : 'agent', pinned: false, created: at, updated: at })
}

/** What a passage of the frontmatter could be made to say. */
function refuseHead(file: string, before: string, after: string): void {
  const [was, is] = [parseEntry(before), parseEntry(after)]
  if (isOwnFile(file) || !was.ok || !is.ok) return
  const kept = (['type', 'pinned', 'origin'] as const).every(key => was.entry[key] === is.entry[key])
  if (!kept) throw new NotAllowed(`${file}: what kind it is, whose word, and whether it is pinned stay.`)
}

async function edit(
  options: StageToolOptions,
  { old, next, file, reason, quote }: Omit<Write, 'text'> & { old: string; next: string },
): Promise<string> {
  refuseName(file)
  const text = await existing(options.stage, file)
  refusePinned(file, text)
  if (isSkillFile(file)) throw new NotAllowed(`${file}: skills that are there are the owner's.`)
  const at = text.indexOf(old)
  if (at < 0) throw new ReverieError(`That passage does not stand in ${file}. Read it again.`)
  if (text.includes(old, at + 1))
    throw new ReverieError(`That passage stands in ${file} more than once. Give more of it.`)
  if (old === next) throw new ReverieError('That changes nothing. Old and new are the same.')
  const after = text.slice(0, at) + next + text.slice(at + old.length)
  refuseHead(file, text, after)
  const isOwners = await refuseText(options, { before: text, after, file, quote })
  await options.stage.write(file, isOwners ? after : await asOthers(options.stage, file, text, after), {
    action: 'update',
    reason,
  })
  return `${file} was changed.`
}

/** What others have a part in is no longer the owner's word alone; what another memory of the owner's says is. */
async function asOthers(stage: Stage, file: string, before: string, after: string): Promise<string> {
  const parsed = parseEntry(after)
  if (!parsed.ok || parsed.entry.origin !== 'owner' || isFormOnly(before, after)) return after
  for (const other of await stage.list()) {
    const text = other === file ? undefined : await stage.read(other)
    const entry = text === undefined ? undefined : parseEntry(text)
    if (text && entry?.ok && entry.entry.origin === 'owner' && isFormOnly(`${before}\n${text}`, after))
      return after
  }
  return editEntry(after, { origin: 'agent' })
}

async function remove(
  { stage }: StageToolOptions,
  { file, reason, wentTo }: { file: string; reason: string; wentTo: string },
): Promise<string> {
  refuseName(file)
  if (isOwnFile(file) || isSkillFile(file)) throw new NotAllowed(`${file} is not a memory, and stays.`)
  refusePinned(file, await existing(stage, file))
  if (isMemoryFileName(wentTo) && (await stage.read(wentTo)) === undefined)
    throw new ReverieError(`There is no ${wentTo} that could have its content.`)
  await stage.remove(file, { reason, wentTo })
  return `${file} was let go.`
}

async function existing(stage: Stage, file: string): Promise<string> {
  const text = await stage.read(file)
  if (text === undefined)
    throw new ReverieError(`There is no ${file}. There are: ${(await stage.list()).slice(0, 200).join(', ')}`)
  return text
}

function refuseName(file: string): void {
  if (file === INDEX_FILE)
    throw new NotAllowed(`${INDEX_FILE} follows from the memories: change their names and descriptions.`)
  if (!isMemoryFileName(file) && !isOwnFile(file) && !isSkillFile(file))
    throw new NotAllowed(`${file} lies outside of what a dream may change.`)
}

function refusePinned(file: string, text: string): void {
  const parsed = parseEntry(text)
  if (!isOwnFile(file) && parsed.ok && parsed.entry.pinned)
    throw new NotAllowed(`${file} is pinned by the owner, and stays as it is.`)
}

/**
 * Nothing that a key is in, and nothing said of the owner that the owner has not said. Returns whether it rests on
 * the owner's words.
 */
async function refuseText(
  { ownerWords, foreign }: StageToolOptions,
  { before, after, file, quote }: { before: string; after: string; file: string; quote?: string | undefined },
): Promise<boolean> {
  const [secret] = await findSecrets(after)
  if (secret && (await findSecrets(before)).length === 0)
    throw new NotAllowed(`${file} would hold a secret (${secret.kind}). Leave it out.`)
  const parsed = parseEntry(after)
  if (!isOwnFile(file) && !isSkillFile(file) && !parsed.ok)
    throw new ReverieError(`${file} would no longer be a memory: ${parsed.problem.detail}.`)
  const ofOwner =
    isOwnFile(file) || (parsed.ok && (parsed.entry.type === 'user' || parsed.entry.type === 'feedback'))
  const words = quote === undefined ? undefined : await ownerWords(quote)
  if (ofOwner && isFormOnly(before, after)) return true
  if (looksInjected(after, 'agent') && !looksInjected(before, 'agent'))
    throw new NotAllowed(`${file} would hold instructions that are not the owner's.`)
  if (!ofOwner)
    return words !== undefined && neverSaid(after, { said: [before, words], foreign }) === undefined
  if (words === undefined)
    throw new NotAllowed(
      `${file} says something of the owner, and ${quote === undefined ? 'no words of theirs were quoted' : 'the owner has not said what is quoted'}. Quote them exactly, or leave it.`,
    )
  const unsaid = neverSaid(after, { said: [before, words], foreign })
  if (unsaid !== undefined)
    throw new NotAllowed(`${file} would hold "${unsaid}", which the owner has not said. Leave it out.`)
  return true
}

/** Every word was there before: something was shortened, or put in another order. */
function isFormOnly(before: string, after: string): boolean {
  const known = new Set(wordsOf(before))
  return before !== '' && wordsOf(after).every(word => known.has(word) || /^\d{4}-\d{2}-\d{2}$/.test(word))
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\d{4}-\d{2}-\d{2}|[\p{L}\p{N}]+/gu) ?? []
}
