/** nanobot keeps what it knows in one Markdown file, a section a subject. */
import type { MemoryType } from '../../../memory/index.ts'
import { titleFrom } from '../../../session/index.ts'

export interface Note {
  name: string
  description: string
  type: MemoryType
  body: string
}

/** Sections about the person hold in every project. */
const ABOUT_THE_PERSON =
  /\b(?:user|owner|person|personal|about me|profile|preferences?|likes?|dislikes?|habits?|contacts?|family|identity)\b|用户|使用者|个人|個人|偏好|喜好|习惯|習慣|关于我|關於我/i

/** What a template says where nobody has written anything yet. */
const PLACEHOLDER =
  /^(?:[-*]\s*)?(?:\*\*[^*]+\*\*:?\s*)?(?:\([^)]*\)|\[[ x]?\].*|-{3,}|[-*])?$|^\*[^*].*\*$|^This file stores important information|^Information about the user/i

/** One note a section. Sections that only hold what the template said are left out. */
export function notesIn(markdown: string): Note[] {
  const names = new Map<string, number>()
  return sectionsOf(markdown).flatMap(({ title, lines }) => {
    if (isTemplate(lines.join('\n'))) return []
    const times = (names.get(title) ?? 0) + 1
    names.set(title, times)
    const name = times === 1 ? title : `${title} (${times})`
    const body = lines
      .join('\n')
      .replace(/\n---\s*\n\*[^\n]*\*\s*$/, '')
      .trim()
    const type = ABOUT_THE_PERSON.test(title) ? 'user' : 'project'
    return [{ name, description: descriptionOf(body, name), type, body }]
  })
}

/** Whether a text says nothing beyond headings and what is to be filled in. */
export function isTemplate(text: string): boolean {
  return text.split('\n').every(line => line.startsWith('#') || PLACEHOLDER.test(line.trim()))
}

interface Section {
  title: string
  lines: string[]
}

function sectionsOf(markdown: string): Section[] {
  const sections: Section[] = [{ title: 'Notes from nanobot', lines: [] }]
  let fence: string | undefined
  for (const line of markdown.replaceAll('\r\n', '\n').split('\n')) {
    const [mark] = /^\s*(?:```|~~~)/.exec(line) ?? []
    if (mark !== undefined && (fence === undefined || fence === mark.trim()))
      fence = fence === undefined ? mark.trim() : undefined
    const isHeading = fence === undefined && /^##\s+\S/.test(line)
    const isHeadline = fence === undefined && /^#\s/.test(line)
    if (isHeading) sections.push({ title: headingOf(line), lines: [] })
    else if (!isHeadline) sections.at(-1)?.lines.push(line)
  }
  return sections
}

function headingOf(line: string): string {
  return titleFrom(line.slice(2)).replace(/[\s#]+$/, '') || 'Notes from nanobot'
}

/** The first thing that it says. */
function descriptionOf(body: string, name: string): string {
  const lines = body.split('\n').map(line => line.replace(/^[\s#>*-]+/, '').trim())
  return titleFrom(lines.find(line => line !== '') ?? name)
}
