/** Bytes to text, whatever alphabet they were written in. */

/** Within so many bytes a page says its charset (the HTML Standard says 1,024; many are late). */
const DECLARED_WITHIN = 4_096
const IN_META = /<meta[^>]{0,500}?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i
const IN_XML = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]{1,40})["']/i

/** A mark at the start wins over what was said with the answer, that over what stands in the page. */
export function decodeText(bytes: Buffer, said: string | undefined, isCut = false): string {
  const label = marked(bytes) ?? decoderLabel(said) ?? declared(bytes)
  if (label !== undefined) return new TextDecoder(label).decode(bytes)
  return asUtf8(bytes, isCut) ?? new TextDecoder('windows-1252').decode(bytes)
}

function marked(bytes: Buffer): string | undefined {
  const mark = bytes.toString('latin1', 0, 3)
  if (mark.startsWith('\xef\xbb\xbf')) return 'utf-8'
  if (mark.startsWith('\xff\xfe')) return 'utf-16le'
  return mark.startsWith('\xfe\xff') ? 'utf-16be' : undefined
}

function declared(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, DECLARED_WITHIN)
  const label = decoderLabel(IN_META.exec(start)?.[1] ?? IN_XML.exec(start)?.[1])
  // Whoever could read that it is UTF-16 did not read UTF-16.
  return label?.startsWith('utf-16') ? 'utf-8' : label
}

/** Undefined for a charset that nobody knows. */
function decoderLabel(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

function asUtf8(bytes: Buffer, isCut: boolean): string | undefined {
  try {
    // What was cut may end within a letter, which as of a stream is waited for.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return undefined
  }
}
