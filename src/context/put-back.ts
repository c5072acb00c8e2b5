/** What is given back after the conversation was made shorter: files that were being worked with, skills in use. */

import { type AttachmentPart, type Message, toolCallsOf } from '../session/index.ts'
import { readSmallFile } from '../store/index.ts'
import { estimateText } from './tokens.ts'

/** How many files at most (4-agent.md). */
const MOST_FILES = 5
/** The tool that loads them, and the kind of what is put back. */
export const SKILL_TOOL = 'skill'
const FILE = 'file'

export interface PutBackOptions {
  dropped: readonly Message[]
  kept: readonly Message[]
  /** Files that were read or written, the newest last. */
  files: readonly string[]
  fileTokens: number
  /** What a skill says now. */
  skill(name: string): string | undefined
  skillTokens: number
}

export function putBack(options: PutBackOptions): AttachmentPart[] {
  const { dropped, kept, files, fileTokens } = options
  return [...skillsIn(dropped, kept, options), ...filesAgain(files, kept, fileTokens)]
}

function filesAgain(files: readonly string[], kept: readonly Message[], tokens: number): AttachmentPart[] {
  const touched = new Set(kept.flatMap(toolCallsOf).flatMap(({ input }) => pathsIn(input)))
  // Those that were put back before, and are there still.
  for (const { parts } of kept)
    for (const part of parts)
      if (part.type === 'attachment' && part.kind === FILE && part.name) touched.add(part.name)
  const wanted = files.toReversed().filter(path => ![...touched].some(touch => path.endsWith(touch)))
  return wanted.slice(0, MOST_FILES).flatMap((path): AttachmentPart[] => {
    const text = readSmallFile(path)
    if (text === undefined || text.includes('\0')) return []
    const shown = cut(text, tokens)
    const note = shown === text ? '' : '\n[cut here; read the file for the rest]'
    return [{ type: 'attachment', kind: FILE, origin: 'tool', name: path, text: shown + note }]
  })
}

function pathsIn(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return []
  return Object.entries(input).flatMap(([key, value]) =>
    /path|file/.test(key) && typeof value === 'string' && value !== '' ? [value] : [],
  )
}

/** Those that were loaded, the newest first, as far as they fit; what was put back before is put back again. */
function skillsIn(
  dropped: readonly Message[],
  kept: readonly Message[],
  { skill, skillTokens }: Pick<PutBackOptions, 'skill' | 'skillTokens'>,
): AttachmentPart[] {
  const still = new Set(loadedIn(kept))
  const wanted = new Set(
    loadedIn(dropped)
      .toReversed()
      .filter(name => !still.has(name)),
  )
  let left = skillTokens
  return [...wanted].flatMap((name): AttachmentPart[] => {
    const text = skill(name)
    const cost = text === undefined ? Number.POSITIVE_INFINITY : estimateText(text)
    if (text === undefined || cost > left) return []
    left -= cost
    return [{ type: 'attachment', kind: SKILL_TOOL, origin: 'tool', name, text }]
  })
}

function loadedIn(messages: readonly Message[]): string[] {
  const names = new Map(
    messages.flatMap(toolCallsOf).flatMap(({ call, tool, input }): Array<[string, string]> => {
      const { name, file } = (input ?? {}) as { name?: unknown; file?: unknown }
      return tool === SKILL_TOOL && typeof name === 'string' && file === undefined ? [[call, name]] : []
    }),
  )
  return messages.flatMap(({ parts }) =>
    parts.flatMap(part => {
      if (part.type === 'attachment')
        return part.kind === SKILL_TOOL && part.name !== undefined ? [part.name] : []
      const name = part.type === 'tool-result' && part.outcome === 'ok' ? names.get(part.call) : undefined
      return name === undefined ? [] : [name]
    }),
  )
}

function cut(text: string, tokens: number): string {
  if (estimateText(text) <= tokens) return text
  const share = tokens / estimateText(text)
  return text.slice(0, Math.floor(text.length * share)).toWellFormed()
}
