/** A request for a completion, read: what of it means something here, and what cannot be done. */
import { z } from 'zod'
import { type ImagePart, imageTrouble } from '../../session/index.ts'
import { Refusal } from './refusal.ts'

/** Something that was said, before it becomes a message. */
export interface Said {
  role: 'user' | 'assistant'
  text: string
  images: readonly ImagePart[]
}

export interface Asked {
  model: string
  /** The client's own instructions. */
  system: string
  earlier: readonly Said[]
  /** What is to be answered. */
  last: Said
  stream: boolean
  includeUsage: boolean
}

const MOST_MESSAGES = 2_000
const LONGEST_SYSTEM = 100_000
const MOST_IMAGES = 20
/** Of a data: URL, before what it holds. */
const LONGEST_HEAD = 200

const CONTENT = z.union([z.string(), z.array(z.looseObject({ type: z.string() })), z.null()])
const MESSAGE = z.looseObject({ role: z.string(), content: CONTENT.optional() })
const REQUEST = z.looseObject({
  model: z.string().min(1),
  messages: z.array(MESSAGE).min(1).max(MOST_MESSAGES),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.number().nullish(),
  tools: z.array(z.unknown()).nullish(),
  functions: z.array(z.unknown()).nullish(),
  response_format: z.looseObject({ type: z.string() }).nullish(),
  modalities: z.array(z.string()).nullish(),
})

export function readRequest(body: unknown): Asked {
  const read = REQUEST.safeParse(body)
  if (!read.success) {
    const [issue] = read.error.issues
    const param = issue?.path.join('.') || null
    throw new Refusal(
      400,
      'invalid_request',
      `${param ?? 'The body'}: ${issue?.message ?? 'cannot be read'}.`,
      { param },
    )
  }
  const { model, messages, stream, stream_options: options, ...more } = read.data
  refuseWhatCannotBeDone(more)
  const system = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(message => saidOf('user', message.content, 'messages').text)
    .join('\n\n')
  if (system.length > LONGEST_SYSTEM)
    throw refused('messages', `System messages may have ${LONGEST_SYSTEM} characters.`)
  const talk = messages.flatMap(({ role, content }, at): Said[] => {
    if (role === 'system' || role === 'developer') return []
    if (role === 'user' || role === 'assistant') return [saidOf(role, content, `messages.${at}.content`)]
    throw refused(
      `messages.${at}.role`,
      `Messages of ${JSON.stringify(role.slice(0, 40))} are not taken: tools are Reverie's own here.`,
    )
  })
  const lastReply = talk.findLastIndex(({ role }) => role === 'assistant')
  const asked = talk.slice(lastReply + 1)
  const last: Said = {
    role: 'user',
    text: asked
      .map(({ text }) => text)
      .filter(Boolean)
      .join('\n\n'),
    images: asked.flatMap(({ images }) => images),
  }
  if (last.text.trim() === '' && last.images.length === 0)
    throw refused('messages', 'The last message has to be one of the user, with something in it.')
  return {
    model,
    system,
    earlier: talk.slice(0, lastReply + 1),
    last,
    stream: stream ?? false,
    includeUsage: options?.include_usage ?? false,
  }
}

/** What would be answered in another way than was asked is refused; what only tunes a model (temperature…) is passed over. */
function refuseWhatCannotBeDone({
  n,
  tools,
  functions,
  response_format: format,
  modalities,
}: Pick<z.output<typeof REQUEST>, 'n' | 'tools' | 'functions' | 'response_format' | 'modalities'>): void {
  if ((n ?? 1) !== 1) throw refused('n', 'One answer is given, not several.')
  if (tools?.length || functions?.length)
    throw refused(
      'tools',
      "Reverie uses tools of its own and does not call the client's. Leave them out, or lend them over MCP.",
    )
  if (format && format.type !== 'text')
    throw refused('response_format', 'Answers are text; no other form is promised.')
  if (modalities?.some(each => each !== 'text')) throw refused('modalities', 'Answers are text.')
}

function saidOf(role: Said['role'], content: z.output<typeof CONTENT> | undefined, param: string): Said {
  if (typeof content === 'string') return { role, text: content, images: [] }
  const [texts, images]: [string[], ImagePart[]] = [[], []]
  for (const part of content ?? []) {
    if (part.type === 'text' && typeof part.text === 'string') texts.push(part.text)
    else if (part.type === 'refusal' && typeof part.refusal === 'string') texts.push(part.refusal)
    else if (part.type === 'image_url') images.push(imageOf(part.image_url, param))
    else
      throw refused(
        param,
        `Parts of type ${JSON.stringify(part.type.slice(0, 40))} are not taken: text and images are.`,
      )
  }
  if (images.length > MOST_IMAGES) throw refused(param, `A message may have ${MOST_IMAGES} images.`)
  return { role, text: texts.join('\n\n'), images }
}

/** Only what the request brings along: an address would be one that this machine fetches for whoever asks. */
function imageOf(given: unknown, param: string): ImagePart {
  const url = typeof given === 'object' && given !== null ? (given as { url?: unknown }).url : given
  const [head = '', mediaType = ''] =
    (typeof url === 'string' && /^data:([\w/+.-]{1,100});base64,/.exec(url.slice(0, LONGEST_HEAD))) || []
  const image: ImagePart = { type: 'image', mediaType, data: String(url).slice(head.length) }
  const trouble = imageTrouble(image)
  if (trouble === 'size') throw refused(param, 'The image is too large: models take up to 5 MB.')
  if (trouble !== undefined)
    throw refused(param, 'Images are taken as data: URLs in base64, of type png, jpeg, gif or webp.')
  return image
}

function refused(param: string, message: string): Refusal {
  return new Refusal(400, 'unsupported', message, { param })
}
