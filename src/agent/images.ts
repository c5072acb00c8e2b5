import type { ImagePart, Message, TextPart } from '../session/index.ts'

export function hasImages(messages: readonly Message[]): boolean {
  return messages.some(({ parts }) =>
    parts.some(
      part =>
        part.type === 'image' ||
        (part.type === 'tool-result' && part.content.some(({ type }) => type === 'image')),
    ),
  )
}

/** The same messages with a sentence in the place of each image, for a model that would not take them. */
export function withoutImages(messages: readonly Message[]): Message[] {
  return messages.map(message =>
    hasImages([message])
      ? {
          ...message,
          parts: message.parts.map(part => {
            if (part.type === 'image') return instead(part)
            if (part.type !== 'tool-result') return part
            return {
              ...part,
              content: part.content.map(each => (each.type === 'image' ? instead(each) : each)),
            }
          }),
        }
      : message,
  )
}

function instead({ mediaType }: ImagePart): TextPart {
  return {
    type: 'text',
    text: `[An image (${mediaType}) was here. This model did not take it, so it could not be looked at.]`,
  }
}
