/** Where the words of somebody else begin and end: nothing in them ends the fence. */

/** Looks like a tag, to a reader who passes over what cannot be seen. */
function likeTag(tags: readonly string[]): RegExp {
  const names = tags.map(tag => [...tag].join('[\\p{C}\\p{DI}]*'))
  return new RegExp(`<(?=[\\s/\\p{C}\\p{DI}]*(?:${names.join('|')}))`, 'giu')
}

export interface FenceAttributes {
  readonly [name: string]: string | undefined
}

const FENCES = ['attachment', 'project-instructions', 'recent-history', 'skill', 'skills'] as const
export type FenceTag = (typeof FENCES)[number]

const LIKE = new Map(FENCES.map(tag => [tag, likeTag([tag])]))

/** Data, however it is written. */
export function inFence(tag: FenceTag, attributes: FenceAttributes, text: string): string {
  const told = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${asAttribute(value)}"`],
  )
  return `<${tag}${told.join('')}>\n${withoutTag(tag, text)}\n</${tag}>`
}

function withoutTag(tag: FenceTag, text: string): string {
  return text.replaceAll(LIKE.get(tag) ?? /(?!)/g, '&lt;')
}

/** Whoever looks for the fence need not look far for its end. */
const LONGEST_ATTRIBUTE = 80

function asAttribute(text: string): string {
  const line = text.replaceAll(/["<>\p{C}\p{DI}\p{Zl}\p{Zp}]/gu, ' ')
  return line.length > LONGEST_ATTRIBUTE ? `${line.slice(0, LONGEST_ATTRIBUTE - 1)}…` : line
}
