/** Memories and messages as lines of an answer: in their own words, with where they are from and how old. */
import type { Finding } from './findings.ts'
import { shortened } from './naming.ts'
import { PHRASES } from './phrases.ts'
import type { Language } from './sentences.ts'
import type { Statement } from './statement.ts'

const LONGEST_LINE = 300
const LONGEST_SNIPPET = 200

/** What a statement says in a few words: its name, or its line where that says what the name only names. */
export function headline({ name, description }: Pick<Statement, 'name' | 'description'>): string {
  return description.toLowerCase().startsWith(name.toLowerCase()) ? description : name
}

/** What a memory says, on one line. */
export function factOf({ body, snippet, description, name }: Finding): string {
  const text = [body, description, snippet, name].find(each => each.trim() !== '') ?? ''
  return shortened(printable(text).replaceAll('**', ''), LONGEST_LINE)
}

/** Text that came from a file must not steer a terminal. */
function printable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function noteOf({ note, ageDays = 0, origin }: Finding, language: Language): string {
  const stale = ageDays > 1 || /verify/i.test(note)
  const age = language === 'en' && note !== '' ? printable(note) : PHRASES[language].age(ageDays, stale)
  const from = PHRASES[language].origin[origin]
  return from === undefined ? age : `${from}, ${age}`
}

export function memoryLine(finding: Finding, language: Language): string {
  return `- ${factOf(finding)} — ${printable(finding.file)}, ${noteOf(finding, language)}`
}

export function choiceLine(finding: Finding, number: number): string {
  return `${number}. ${shortened(printable(finding.name || finding.description), LONGEST_SNIPPET)} — ${printable(finding.file)}`
}

/** Something said in an earlier conversation. */
export interface Said {
  session: string
  title: string
  at: string
  role: string
  snippet: string
}

export function saidIn(value: unknown): Said[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item: unknown) => {
    if (typeof item !== 'object' || item === null) return []
    const field = (key: string): string => {
      const text: unknown = (item as Record<string, unknown>)[key]
      return typeof text === 'string' ? text : ''
    }
    const said = {
      session: field('session'),
      title: field('title'),
      at: field('at'),
      role: field('role'),
      snippet: field('snippet'),
    }
    // What tools were asked and what they answered is not what was talked about.
    const talk = said.role !== 'tool' && !/^(?:memory|session)_\w+ /.test(said.snippet)
    return talk && `${said.snippet}${said.title}` !== '' ? [said] : []
  })
}

export function saidLine({ session, title, at, role, snippet }: Said, language: Language): string {
  const phrases = PHRASES[language]
  const who = role === 'user' ? phrases.you : role === 'assistant' ? phrases.me : role
  const day = /^\d{4}-\d\d-\d\d/.exec(at)?.[0] ?? at
  const words = shortened(printable(snippet || title), LONGEST_SNIPPET)
  const where = [title, session].filter(Boolean).map(printable).join(', ')
  return `- ${[day, who].filter(Boolean).join(', ')}: ${words} — ${where}`
}
