/** What a call returned, as a tool's output: fenced words, and images that a model can look at. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { ToolOutput } from '../tools/index.ts'
import { cutAt, fencedResult, harmless, inShort } from './words.ts'

type Block = CallToolResult['content'][number]
type Image = NonNullable<ToolOutput['images']>[number]

/** What models can look at. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
/** Characters in base64: what the strictest provider takes. */
const LARGEST_IMAGE = 5 * 1024 * 1024
const MOST_IMAGES = 10
/** Of an error: it is told whole, or not at all. */
const LONGEST_ERROR = 8_000
const LONGEST_ADDRESS = 500
const LONGEST_TYPE = 100

export function toOutput(server: string, { content, structuredContent }: CallToolResult): ToolOutput {
  const images: Image[] = []
  const texts = content.map(block => shown(block, images))
  const isSaid = texts.some(text => text.trim() !== '')
  if (!isSaid && images.length === 0 && structuredContent !== undefined)
    texts.push(JSON.stringify(structuredContent, null, 2))
  const text = harmless(texts.filter(text => text !== '').join('\n\n'))
  return { text: text === '' ? '' : fencedResult(server, text), images }
}

/** What a server says when a call did not work out. */
export function errorText(server: string, result: CallToolResult): string {
  const { text } = toOutput(server, result)
  return cutAt(text || `${server} says that it did not work, and not why.`, LONGEST_ERROR)
}

function shown(block: Block, images: Image[]): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
      return image(block.mimeType, block.data, images)
    case 'audio':
      return notShown(block.mimeType, block.data)
    case 'resource_link': {
      const { name, uri, description = '' } = block
      return `${inShort(name, LONGEST_TYPE)}: ${inShort(uri, LONGEST_ADDRESS)} ${inShort(description, LONGEST_ADDRESS)}`.trim()
    }
    case 'resource': {
      const { resource } = block
      const at = inShort(resource.uri, LONGEST_ADDRESS)
      if ('text' in resource) return `${at}:\n${resource.text}`
      return `${at}: ${image(resource.mimeType ?? '', resource.blob, images) || 'shown below'}`
    }
  }
}

function image(mediaType: string, data: string, images: Image[]): string {
  const bare = data.replaceAll(/\s/g, '')
  if (!IMAGE_TYPES.has(mediaType)) return notShown(mediaType, bare)
  if (bare.length > LARGEST_IMAGE || images.length >= MOST_IMAGES) return notShown(mediaType, bare)
  if (!isBase64(bare)) return `[an image (${mediaType}) that cannot be read]`
  images.push({ type: 'image', mediaType, data: bare })
  return ''
}

/** Looked at from its end and one character at a time: a pattern for all of it runs out of stack with megabytes. */
function isBase64(text: string): boolean {
  const end = /={0,2}$/.exec(text.slice(-2))?.index ?? 0
  const body = text.slice(0, Math.max(0, text.length - 2) + end)
  return body !== '' && !/[^A-Za-z0-9+/]/.test(body)
}

function notShown(mediaType: string, data: string): string {
  const bytes = Math.floor((data.length * 3) / 4)
  return `[${inShort(mediaType, LONGEST_TYPE) || 'data'}, ${bytes} bytes: it cannot be shown]`
}
