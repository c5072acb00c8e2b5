/** What a model is shown before it dreams: everything labelled with who said it, within a budget of characters. */

import type { DreamMaterial } from '../dreamer.ts'
import { fence } from '../fence.ts'

/** Of the characters of a budget, so that no part crowds out the others. */
const SHARES = { memories: 0.45, turns: 0.25, history: 0.15, logs: 0.1 }
const DAY = 'YYYY-MM-DD'.length

export function briefing(material: DreamMaterial, characters: number): string {
  const { memories, index, history, logs, turns, guidance, now, own, skills } = material
  const part = (title: string, share: number, items: readonly string[]) =>
    within(title, items, characters * share)
  const newestFirst = memories.toSorted((a, b) => b.confirmed.getTime() - a.confirmed.getTime())
  return [
    `Today is ${now.toISOString().slice(0, DAY)}.`,
    ...(guidance === undefined ? [] : [`The owner's guidance for dreams (dream.md):\n${fence(guidance)}`]),
    ...own.map(({ file, text }) => `${file}:\n${fence(text)}`),
    part(
      'Memories',
      SHARES.memories,
      newestFirst.map(
        ({ file, text, pinned, confirmed }) =>
          `${file} (confirmed ${confirmed.toISOString().slice(0, DAY)}${pinned ? ', pinned' : ''}):\n${fence(text)}`,
      ),
    ),
    `All files: ${memories
      .map(({ file }) => file)
      .join(', ')
      .slice(0, characters * SHARES.logs)}`,
    `MEMORY.md:\n${fence(index)}`,
    part(
      'Said in conversations since the last dream',
      SHARES.turns,
      turns.map(
        ({ at, origin, reason, text, session }) =>
          `${at.slice(0, DAY)}, ${origin === 'person' ? 'the owner' : `not the owner (${origin})`}, session ${session}, found as ${reason}:\n${fence(text)}`,
      ),
    ),
    part(
      'Notes of conversations',
      SHARES.history,
      history.map(
        ({ timestamp, content }) => `${timestamp.slice(0, DAY)}, notes of the assistant:\n${fence(content)}`,
      ),
    ),
    part(
      'Daily logs',
      SHARES.logs,
      logs.map(({ path, text }) => `${path}:\n${fence(text)}`),
    ),
    `Skills that there are:\n${skills.map(({ name, description }) => `${name}: ${description}`).join('\n') || 'none'}`.slice(
      0,
      characters * SHARES.logs,
    ),
  ].join('\n\n')
}

function within(title: string, items: readonly string[], characters: number): string {
  if (items.length === 0) return `${title}: none.`
  const shown: string[] = []
  let left = characters
  for (const item of items) {
    if (item.length > left) continue // one that is too long does not hide those after it
    shown.push(item)
    left -= item.length
  }
  const rest = items.length - shown.length
  return [
    `${title}:`,
    ...shown,
    ...(rest > 0 ? [`(${rest} more are not shown; read or search for them)`] : []),
  ].join('\n\n')
}
