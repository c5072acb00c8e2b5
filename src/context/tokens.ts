/**
 * How many tokens something is, estimated without asking anybody. A model's own count, reported with each reply,
 * calibrates the estimate: what counts is that the two move together, not that the first guess is right.
 */
import type { ImagePart, Message, Part } from '../session/index.ts'
import { imageSize } from './image-size.ts'

/** Tokens of a message besides its parts: role, separators. */
const MESSAGE_TOKENS = 4
/** Tokens of a call or a result besides its text: names, ids. */
const CALL_TOKENS = 12
/** Pixels of an image for each token, and what is charged at most, since providers scale larger ones down; at least. */
const [PIXELS_A_TOKEN, MOST_IMAGE_TOKENS, LEAST_IMAGE_TOKENS] = [750, 1_600, 85]

/** Letters of a word that make a token, on average, in tokenisers of today. */
const WORD = /[\p{L}\p{M}]+/gu
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

/** Counts classes of characters, since a token of prose, of digits and of Chinese is not the same length. */
export function estimateText(text: string): number {
  if (text === '') return 0
  const wide = text.match(WIDE)?.length ?? 0
  let words = 0
  let letters = 0
  for (const [word] of text.replaceAll(WIDE, ' ').matchAll(WORD)) {
    letters += word.length
    words += Math.max(1, Math.ceil(word.length / 6))
  }
  const digits = text.match(/\d/g)?.length ?? 0
  const spaces = text.match(/\s/g)?.length ?? 0
  const lines = text.match(/\n/g)?.length ?? 0
  const others = Math.max(0, text.length - wide - letters - digits - spaces)
  return Math.ceil(wide * 0.9 + words + digits / 2.5 + others / 1.6 + lines * 0.5)
}

export function estimatePart(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'thinking':
      return estimateText(part.text)
    case 'attachment':
      return estimateText(part.text) + CALL_TOKENS
    case 'image':
      return imageTokens(part)
    case 'tool-call':
      return estimateText(JSON.stringify(part.input)) + CALL_TOKENS
    case 'tool-result':
      return part.content.reduce((sum, each) => sum + estimatePart(each), CALL_TOKENS)
  }
}

/** One whose size cannot be told counts as a large one. */
function imageTokens({ data }: ImagePart): number {
  const size = imageSize(data)
  if (!size) return MOST_IMAGE_TOKENS
  const tokens = Math.ceil((size.width * size.height) / PIXELS_A_TOKEN)
  return Math.min(MOST_IMAGE_TOKENS, Math.max(LEAST_IMAGE_TOKENS, tokens))
}

/** Messages never change once made, so that each is counted once. */
const COUNTED = new WeakMap<Message, number>()

export function estimateMessage(message: Message): number {
  const known = COUNTED.get(message)
  if (known !== undefined) return known
  const tokens = message.parts.reduce((sum, part) => sum + estimatePart(part), MESSAGE_TOKENS)
  COUNTED.set(message, tokens)
  return tokens
}

export function estimateMessages(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateMessage(message), 0)
}

/** A tool as a model is told of it: its schema counts as the JSON that is sent. */
export function estimateTools(forms: readonly object[]): number {
  return forms.reduce((sum, form) => sum + estimateText(JSON.stringify(form)) + CALL_TOKENS, 0)
}

/** What a model's tokens are to our estimate of them. */
export interface Calibration {
  /** By model: reported tokens for each estimated one. */
  readonly factors: Readonly<Record<string, number>>
}

export const UNCALIBRATED: Calibration = { factors: {} }

/** A request smaller than this says little: what a provider adds of its own weighs too much. */
const LEAST_TELLING = 200
/** A factor beyond these is a mistake in what was reported, not a tokeniser. */
const [LOWEST, HIGHEST] = [0.3, 3]

export function calibrated(estimate: number, model: string, { factors }: Calibration): number {
  return Math.ceil(estimate * (factors[model] ?? 1))
}

/**
 * What is known after a provider has said how large a request was that was estimated. Only the newest report counts:
 * the next request is that one and a little more, so that what is estimated of it is the little.
 */
export function calibrate(
  calibration: Calibration,
  model: string,
  { estimate, reported }: { estimate: number; reported: number },
): Calibration {
  if (estimate < LEAST_TELLING || reported < LEAST_TELLING) return calibration
  const seen = Math.min(HIGHEST, Math.max(LOWEST, reported / estimate))
  return { factors: { ...calibration.factors, [model]: seen } }
}
