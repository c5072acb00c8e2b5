/** What a call returned, as a tool's output: fenced words, and images that a model can look at. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { imageTrouble } from '../session/index.ts'
import type { ToolOutput } from '../tools/index.ts'
import { cutAt, fencedResult, harmless, inShort } from './words.ts'

type Block = CallToolResult['content'][number]
type Image = NonNullable<ToolOutput['images']>[number]

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
  const found: Image = { type: 'image', mediaType, data: data.replaceAll(/\s/g, '') }
  const trouble = imageTrouble(found)
  if (trouble === 'data') return `[an image (${mediaType}) that cannot be read]`
  if (trouble !== undefined || images.length >= MOST_IMAGES) return notShown(mediaType, found.data)
  images.push(found)
  return ''
}

function notShown(mediaType: string, data: string): string {
  const bytes = Math.floor((data.length * 3) / 4)
  return `[${inShort(mediaType, LONGEST_TYPE) || 'data'}, ${bytes} bytes: it cannot be shown]`
}
