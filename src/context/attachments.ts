/** What goes with a message of the person and was not said by them. */
import { machineTimeZone } from '../config/index.ts'
import type { Recalled } from '../memory/index.ts'
import type { AttachmentPart, Message } from '../session/index.ts'

/** What changes every turn: it never enters the system prompt, which would then change every turn too. */
export function metadataAttachment(now: Date, directory: string): AttachmentPart {
  const zone = machineTimeZone()
  const day = now.toLocaleDateString('en', { weekday: 'long' })
  const time = now.toLocaleString('sv').slice(0, 'YYYY-MM-DD HH:MM'.length)
  const text = `time: ${time}, ${day} (${zone})\nworking directory: ${directory}`
  return { type: 'attachment', kind: 'metadata', origin: 'program', text }
}

/** Memories that answer what was just said, each with its age. */
export function recalledAttachment(memories: readonly Recalled[]): AttachmentPart {
  const told = memories.map(({ file, scope, name, type, description, origin, note, ageDays, snippet }) => ({
    file,
    scope,
    name,
    type,
    description,
    origin,
    note,
    ageDays,
    snippet,
  }))
  return {
    type: 'attachment',
    kind: 'memory',
    origin: 'memory',
    name: 'remembered, may be out of date',
    text: JSON.stringify(told),
  }
}

/** What was recalled in a conversation already, as `scope/file`: it is not shown again. */
export function recalledIn(messages: readonly Message[]): string[] {
  return messages.flatMap(({ parts }) => parts.flatMap(part => (isRecalled(part) ? filesIn(part.text) : [])))
}

function isRecalled(part: Message['parts'][number]): part is AttachmentPart {
  return part.type === 'attachment' && part.kind === 'memory'
}

function filesIn(text: string): string[] {
  try {
    const told = JSON.parse(text) as Array<{ scope?: unknown; file?: unknown }>
    return told.flatMap(({ scope, file }) =>
      typeof scope === 'string' && typeof file === 'string' ? [`${scope}/${file}`] : [],
    )
  } catch {
    return [] // written by somebody else, or another version
  }
}
