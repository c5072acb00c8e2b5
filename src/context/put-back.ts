/** What is given back after the conversation was made shorter: files that were being worked with, skills in use. */

import { type AttachmentPart, type Message, toolCallsOf, toolResultsOf } from '../session/index.ts'
import { readSmallFile } from '../store/index.ts'
import { estimateText } from './tokens.ts'

/** How many files at most (4-agent.md). */
const MOST_FILES = 5
const SKILL_TOOL = 'skill'

export interface PutBackOptions {
  dropped: readonly Message[]
  kept: readonly Message[]
  /** Files that were read or written, the newest last. */
  files: readonly string[]
  fileTokens: number
  skillTokens: number
}

export function putBack({ dropped, kept, files, fileTokens, skillTokens }: PutBackOptions): AttachmentPart[] {
  return [...skillsIn(dropped, kept, skillTokens), ...filesAgain(files, kept, fileTokens)]
}

function filesAgain(files: readonly string[], kept: readonly Message[], tokens: number): AttachmentPart[] {
  const touched = new Set(kept.flatMap(toolCallsOf).flatMap(({ input }) => pathsIn(input)))
  const wanted = files.toReversed().filter(path => ![...touched].some(touch => path.endsWith(touch)))
  return wanted.slice(0, MOST_FILES).flatMap((path): AttachmentPart[] => {
    const text = readSmallFile(path)
    if (text === undefined || text.includes('\0')) return []
    const shown = cut(text, tokens)
    const note = shown === text ? '' : '\n[cut here; read the file for the rest]'
    return [{ type: 'attachment', kind: 'file', origin: 'tool', name: path, text: shown + note }]
  })
}

function pathsIn(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return []
  return Object.entries(input).flatMap(([key, value]) =>
    /path|file/.test(key) && typeof value === 'string' && value !== '' ? [value] : [],
  )
}

function skillsIn(dropped: readonly Message[], kept: readonly Message[], tokens: number): AttachmentPart[] {
  const nameOf = (messages: readonly Message[]) =>
    new Map(
      messages
        .flatMap(toolCallsOf)
        .filter(({ tool }) => tool === SKILL_TOOL)
        .map(({ call, input }) => [call, String((input as { name?: unknown } | null)?.name ?? '')]),
    )
  const still = new Set(nameOf(kept).values())
  const names = nameOf(dropped)
  let left = tokens
  const found = new Map<string, AttachmentPart>()
  for (const { call, outcome, content } of dropped.flatMap(toolResultsOf).toReversed()) {
    const name = names.get(call)
    if (!name || outcome !== 'ok' || found.has(name) || still.has(name)) continue
    const text = content.map(part => (part.type === 'text' ? part.text : '')).join('\n')
    left -= estimateText(text)
    if (left < 0) break
    found.set(name, { type: 'attachment', kind: 'skill', origin: 'tool', name, text })
  }
  return [...found.values()]
}

function cut(text: string, tokens: number): string {
  if (estimateText(text) <= tokens) return text
  const share = tokens / estimateText(text)
  return text.slice(0, Math.floor(text.length * share)).toWellFormed()
}
