import type {
  AttachmentPart,
  ImagePart,
  Message,
  MessageOrigin,
  Part,
  TextPart,
  ToolOutcome,
  ToolResultPart,
} from '../../session/index.ts'
import { type Marks, tellApart } from './injected.ts'
import { plainJson } from './json.ts'

export function textPart(text: string): TextPart {
  return { type: 'text', text }
}

export function attachment(kind: string, origin: MessageOrigin, text: string, name?: string): AttachmentPart {
  return { type: 'attachment', kind, origin, ...(name !== undefined && { name }), text }
}

/** A kind of content that has no place in a message of ours: kept as it was. */
export function otherPart(value: unknown, origin: MessageOrigin, name?: string): AttachmentPart {
  return attachment('other', origin, JSON.stringify(plainJson(value)), name)
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);base64,/
const DATA_URL_HEAD = 200

/** The image that a `data:` address holds. */
export function imageFromUrl(url: string): ImagePart | undefined {
  const [head, mediaType] = DATA_URL.exec(url.slice(0, DATA_URL_HEAD)) ?? []
  if (head === undefined || mediaType === undefined) return undefined
  return { type: 'image', mediaType, data: url.slice(head.length) }
}

/** An image, or where it is. */
export function imageOrLink(url: string, origin: MessageOrigin): ImagePart | AttachmentPart {
  return imageFromUrl(url) ?? attachment('image', origin, url.startsWith('data:') ? 'data' : url)
}

export function toolResult(
  call: string,
  tool: string,
  outcome: ToolOutcome,
  content: ToolResultPart['content'],
): ToolResultPart {
  return { type: 'tool-result', call, tool, outcome, content }
}

/** Who is behind the parts of a message that a person may have sent, and what of it the person said. */
export function toldApart(
  parts: readonly Part[],
  marks: Marks,
): { origin: 'person' | 'program'; parts: Part[] } {
  const all = parts.flatMap((part): Part[] => {
    if (part.type !== 'text') return [part]
    const { said, injected } = tellApart(part.text, marks)
    return [
      ...(said === '' ? [] : [textPart(said)]),
      ...injected.map(text => attachment('context', 'program', text)),
    ]
  })
  const isPersons = all.some(({ type }) => type === 'text' || type === 'image')
  if (isPersons) return { origin: 'person', parts: all }
  return {
    origin: 'program',
    parts: all.map(part => (part.type === 'attachment' ? textPart(part.text) : part)),
  }
}

/** Whether a message says anything at all. */
export function saysSomething({ parts }: Pick<Message, 'parts'>): boolean {
  return parts.some(part => part.type !== 'text' || part.text.trim() !== '')
}
