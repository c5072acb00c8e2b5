/** What a body is: from what is said of it, and from its first bytes. */

export type Kind = 'html' | 'json' | 'text' | 'binary'

export interface MediaType {
  /** `text/html`; empty when nothing usable was said. */
  name: string
  charset: string | undefined
}

const NAME = /^\s*([a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,80})\s*(?:;|$)/i
const CHARSET = /;\s*charset\s*=\s*["']?([\w:.-]{1,40})/i

export function readMediaType(header: string | undefined): MediaType {
  return { name: NAME.exec(header ?? '')?.[1]?.toLowerCase() ?? '', charset: CHARSET.exec(header ?? '')?.[1] }
}

const HTML = /^(text\/html|application\/xhtml\+xml)$/
const JSON_LIKE = /^(application|text)\/(json|([\w.-]+\+json))$/
const TEXT =
  /^(text\/.*|.*\+(xml|json|yaml)|application\/(xml|xml-dtd|javascript|ecmascript|x-javascript|typescript|x-ndjson|jsonl|json-seq|yaml|x-yaml|toml|sql|graphql|x-sh|x-httpd-php|x-tex|x-latex|x-subrip|mbox|pgp-signature|x-www-form-urlencoded))$/

/** Undefined where only the bytes can tell. */
export function kindOf({ name }: MediaType): Kind | undefined {
  if (name === '') return undefined
  if (HTML.test(name)) return 'html'
  if (JSON_LIKE.test(name)) return 'json'
  return TEXT.test(name) ? 'text' : 'binary'
}

/** How many bytes tell what something is, as in browsers (the MIME Sniffing Standard looks at 1,445). */
const SNIFFED = 1_445
const HTML_START = /^\s*(<!--[\s\S]{0,500}?-->\s*)?<(!doctype html|html|head|body|title)[\s>]/i
const UTF_16_MARK = /^(\xff\xfe|\xfe\xff)/

/** Whatever it is called, bytes that no text holds are not text. */
export function kindOfBytes(bytes: Buffer, said: Kind | undefined): Kind {
  const start = bytes.toString('latin1', 0, SNIFFED)
  if (said === 'binary') return said
  if (start.startsWith('%PDF-')) return 'binary'
  if (/[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(start) && !UTF_16_MARK.test(start)) return 'binary'
  return said ?? (HTML_START.test(start) ? 'html' : 'text')
}

const CALLED: ReadonlyArray<readonly [name: RegExp, what: string]> = [
  [/^application\/pdf$/, 'a PDF document'],
  [/^image\//, 'an image'],
  [/^audio\//, 'a sound'],
  [/^video\//, 'a video'],
  [/^font\//, 'a font'],
  [/zip|compressed|tar|rar|7z/, 'an archive'],
  [/officedocument|msword|ms-excel|ms-powerpoint|opendocument/, 'an office document'],
]

export function whatItIs({ name }: MediaType): string {
  const called = CALLED.find(([pattern]) => pattern.test(name))?.[1] ?? 'a binary file'
  return name === '' ? called : `${called} (${name})`
}
