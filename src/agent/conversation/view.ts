import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { Home } from '../../config/index.ts'
import {
  estimateText,
  estimateTools,
  joinSections,
  type LongText,
  loadCalibration,
  type MadeSection,
  type SystemPrompt,
  saveCalibration,
} from '../../context/index.ts'
import type { Memory } from '../../memory/index.ts'
import { History, type Message, newMessageId, type Transcript } from '../../session/index.ts'
import type { Skills } from '../../skills/index.ts'
import { ensureDirectory, PRIVATE_FILE, systemCode } from '../../store/index.ts'
import { type SeenFiles, skillText } from '../../tools/index.ts'
import type { Announcing } from '../announcing.ts'
import { type Asked, type ContextReport, contextReport, crowdedBy } from '../context-report.ts'
import type { Emit } from '../events.ts'
import type { Hooks } from '../hooks/index.ts'
import { type LoopState, programMessage } from '../loop.ts'
import { NoteTaker } from '../note-taker.ts'
import { Room } from '../room.ts'
import type { HelperParts } from '../subagents/index.ts'
import { type CompactedBy, compactConversation, type Summariser } from '../summarise.ts'
import { toolForm } from '../tool-form.ts'
import type { Mind } from './mind.ts'
import type { Talk } from './talk.ts'
import type { Toolbox } from './toolbox.ts'

export interface ViewOptions {
  home: Home
  memory: Memory | undefined
  talk: Talk
  mind: Mind
  prompt: SystemPrompt
  toolbox: Toolbox
  /** Private, of this session: what is too long is kept there. */
  outputs: string
  hooks: Hooks
  /** Files that were read or written. */
  seen: SeenFiles
  skills: Skills
  announcing: Announcing
  /** For the person, with the next answer. */
  notice(text: string): void
  /** Tells everybody who listens, when nobody is being answered. */
  tell: Emit
  now(): Date
}

/** Whom something is done for, and until when. */
interface Doing {
  transcript: Transcript
  seen: SeenFiles
  emit: Emit
  signal: AbortSignal
}

/** For what nobody can interrupt. */
const neverAborted = new AbortController().signal

/** What the model sees: its system prompt, its tools, and as much of the conversation as there is room for. */
export class View {
  /** What the model was sent last: a fork begins with just that. */
  sent: Pick<LoopState, 'messages' | 'summary' | 'model'>
  #options: ViewOptions
  #system: readonly string[] = []
  #sections: readonly MadeSection[] = []
  #room: Room
  #notes: NoteTaker
  /** Of the system prompt and of the tools, as estimated. */
  #fixedTokens = 0
  #saidCrowded: string | undefined
  /** With what the last answer began. */
  #asked: Asked | undefined

  constructor(options: ViewOptions) {
    this.#options = options
    const { talk, mind, tell, now } = options
    const { transcript, messages, summary } = talk
    this.sent = { messages, summary, model: mind.model }
    this.#room = this.#makeRoom({ transcript, seen: options.seen, emit: tell, signal: neverAborted })
    this.#notes = new NoteTaker({ transcript, model: () => mind.open('small'), now })
  }

  get system(): readonly string[] {
    return this.#system
  }

  get toolForms(): readonly LanguageModelV4FunctionTool[] {
    return this.#options.toolbox.forms
  }

  /** Makes the system prompt anew where what it depends on has changed; the tools are decided the first time. */
  async make(): Promise<void> {
    await this.#take(prompt => prompt.make())
    this.#asked = { forms: this.toolForms, summary: this.#options.talk.summary }
    this.#sayIfCrowded()
  }

  /** What the next request consists of, and what the last one was served from. */
  async report(): Promise<ContextReport> {
    await this.#take(prompt => prompt.look())
    const { talk, mind } = this.#options
    const { summary, messages } = talk
    return contextReport({
      sections: this.#sections,
      toolForms: this.toolForms,
      summary,
      messages,
      asked: this.#asked,
      model: mind.model,
      room: this.#room,
    })
  }

  async #take(made: (prompt: SystemPrompt) => Promise<readonly MadeSection[]>): Promise<void> {
    await this.#options.toolbox.decide()
    this.#sections = await made(this.#options.prompt)
    this.#system = joinSections(this.#sections)
    this.#fixedTokens = fixedTokens(this.#system, this.toolForms)
  }

  /** Makes the conversation shorter now. False when there is nothing that a summary could stand for. */
  async compact(focus: string | undefined, signal: AbortSignal): Promise<boolean> {
    await this.#take(prompt => prompt.look())
    const { talk, mind, seen, tell } = this.#options
    const { messages, summary, transcript } = talk
    const room = this.#makeRoom({ transcript, seen, emit: tell, signal })
    const compacted = await room.onDemand({ messages, summary, model: mind.model }, focus)
    if (compacted) talk.goesOnFrom(compacted)
    return compacted !== undefined
  }

  /** The conversation's own, which remembers what models' tokens are and how often it failed; or a helper's. */
  roomFor(emit: Emit, signal: AbortSignal, helper?: HelperParts): Room {
    const { talk, seen } = this.#options
    if (helper) {
      const { transcript, seen } = helper
      return this.#makeRoom({ transcript, seen, emit, signal }, helper)
    }
    const before = this.#room
    this.#room = this.#makeRoom({ transcript: talk.transcript, seen, emit, signal })
    this.#room.takeOver(before)
    return this.#room
  }

  /** What is learnt of tokens; nothing of it may spoil the answer. */
  async keepCalibration(): Promise<void> {
    await saveCalibration(this.#options.home, this.#room.calibration).catch(() => {})
  }

  /** Brings the notes up to date when it is time, beside the conversation. */
  considerNotes(): void {
    const { talk, mind } = this.#options
    this.#notes.consider(talk, this.#room.limits(mind.model))
  }

  async close(): Promise<void> {
    await this.#notes.close()
  }

  #makeRoom(doing: Doing, helper?: HelperParts): Room {
    const { home, outputs, skills, now } = this.#options
    const helpers =
      helper && fixedTokens(helper.system ?? this.#system, [...helper.tools.values()].map(toolForm))
    return new Room({
      fixedTokens: () => helpers ?? this.#fixedTokens,
      files: () => doing.seen.paths(),
      skill: name => textOfSkill(skills, name),
      summarise: (state, how) => this.#summarise(state, how, doing),
      add: async parts => {
        const at = now().toISOString()
        const message: Message = { id: newMessageId(), role: 'user', origin: 'program', at, parts }
        await doing.transcript.append(message)
        return message
      },
      tell: text => programMessage(text, now()),
      keepWhole: text => keepWhole(outputs, text),
      cleared: () => doing.seen.forgetShown(),
      calibration: loadCalibration(home),
      emit: doing.emit,
    })
  }

  /** Once for each model. */
  #sayIfCrowded(): void {
    const { mind, notice } = this.#options
    if (this.#saidCrowded === mind.model.id) return
    const crowded = crowdedBy(this.#sections, estimateTools(this.toolForms), mind.model)
    if (crowded === undefined) return
    this.#saidCrowded = mind.model.id
    notice(crowded)
  }

  async #summarise(
    state: Pick<LoopState, 'messages' | 'summary'>,
    how: Pick<Summariser, 'limits' | 'keep' | 'focus'>,
    { transcript, seen, emit, signal }: Doing,
  ): Promise<CompactedBy | undefined> {
    const { memory, hooks, talk, mind, announcing, now } = this.#options
    const tell = (problems: readonly string[]) => {
      for (const problem of problems) emit({ type: 'notice', text: `A hook failed: ${problem}` })
    }
    const { blocked, context, problems } = await hooks.run('compaction.before', {}, signal)
    tell(problems)
    if (blocked !== undefined) {
      emit({ type: 'notice', text: `A hook did not let the conversation be shortened: ${blocked}` })
      return undefined
    }
    // What a hook wants to be kept counts like what the person asks for.
    const focus = [how.focus, ...context].filter(Boolean).join('\n') || undefined
    const offRecord = [transcript, talk.transcript].some(({ meta }) => meta.offRecord)
    const compacted = await compactConversation(state, {
      ...how,
      focus,
      model: () => mind.open('small'),
      // What is summed up there is dreamt about.
      history: offRecord ? undefined : memory && new History(memory.place('project'), { now }),
      notes: transcript === talk.transcript ? await this.#notes.read() : undefined,
      transcript,
      notice: text => emit({ type: 'notice', text }),
      signal,
      now,
    })
    // What was shown has left the conversation, so it is shown again when it is asked for.
    if (compacted) seen.forgetShown()
    if (compacted && transcript === talk.transcript) announcing.forget()
    if (compacted) tell((await hooks.run('compaction.after', { text: compacted.summary }, signal)).problems)
    return compacted
  }
}

function fixedTokens(system: readonly string[], forms: readonly object[]): number {
  return estimateText(system.join('\n')) + estimateTools(forms)
}

/** Written once: what is shortened again is not the whole of it any more. */
async function keepWhole(outputs: string, { key, text }: LongText): Promise<string> {
  await ensureDirectory(outputs)
  const file = join(outputs, `${key}.txt`)
  try {
    await writeFile(file, text, { mode: PRIVATE_FILE, flag: 'wx' })
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
  return file
}

/** As it is now; nothing when it has gone meanwhile, or may no longer be used. */
function textOfSkill(skills: Skills, name: string): string | undefined {
  try {
    return skillText(skills.load(name))
  } catch {
    return undefined
  }
}
