/** A conversation as Markdown, message by message, so that a session of any size can be exported. */
import type { Message, Part } from './message.ts'
import type { HeaderRecord } from './record.ts'

export function headerAsMarkdown(
  { id, at, project, source, forkedFrom }: HeaderRecord,
  title: string,
): string {
  const facts = [
    `session ${id}`,
    `begun ${readableTime(at)}`,
    project !== undefined && `in ${project}`,
    source && `imported from ${source.agent}`,
    forkedFrom && `forked from ${forkedFrom.session}`,
  ]
  return `# ${title || 'Untitled conversation'}\n\n*${facts.filter(fact => fact).join(' · ')}*\n`
}

const SPEAKERS: Record<Message['origin'], string> = {
  person: 'You',
  model: 'Assistant',
  tool: 'Tool',
  memory: 'Memory',
  schedule: 'Schedule',
  dream: 'Dream',
  notification: 'Notification',
  program: 'Program',
}

export function messageAsMarkdown(message: Message): string {
  const body = message.parts.map(partAsMarkdown).filter(text => text !== '')
  if (body.length === 0) return ''
  const heading = `## ${SPEAKERS[message.origin]} · ${readableTime(message.at)}`
  return `${heading}\n\n${body.join('\n\n')}\n`
}

function partAsMarkdown(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text.trim()
    case 'thinking':
      return part.text.trim() === '' ? '' : quoted(`*thinking*\n\n${part.text.trim()}`)
    case 'tool-call':
      return `**${part.tool}**\n\n${fenced(JSON.stringify(part.input, null, 2), 'json')}`
    case 'tool-result': {
      const text = part.content.map(partAsMarkdown).join('\n')
      const outcome = part.outcome === 'ok' ? '' : ` (${part.outcome})`
      return `**${part.tool}**${outcome} returned\n\n${fenced(text)}`
    }
    case 'image':
      return `*[image, ${part.mediaType}]*`
    case 'attachment':
      return quoted(`*${part.name ?? part.kind}*\n\n${part.text.trim()}`)
  }
}

/** A fence that nothing in the text can close. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map(line => (line === '' ? '>' : `> ${line}`))
    .join('\n')
}

/** `2026-04-08 14:00`, where the reader is. */
function readableTime(at: string): string {
  const time = new Date(at)
  return Number.isNaN(time.getTime()) ? at : time.toLocaleString('sv').slice(0, 'YYYY-MM-DD HH:MM'.length)
}
