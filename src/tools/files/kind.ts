/** What a file that is not text is, by how it begins. */

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

export type Kind = { is: 'image'; mediaType: ImageType } | { is: 'pdf' } | { is: 'other'; name: string }

const BEGINNINGS: ReadonlyArray<[beginning: string, kind: Kind]> = [
  ['\x89PNG\r\n\x1a\n', { is: 'image', mediaType: 'image/png' }],
  ['\xff\xd8\xff', { is: 'image', mediaType: 'image/jpeg' }],
  ['GIF87a', { is: 'image', mediaType: 'image/gif' }],
  ['GIF89a', { is: 'image', mediaType: 'image/gif' }],
  ['%PDF-', { is: 'pdf' }],
  ['PK\x03\x04', { is: 'other', name: 'a zip archive (or an Office document, a jar, an epub)' }],
  ['\x1f\x8b', { is: 'other', name: 'gzip-compressed data' }],
  ['BZh', { is: 'other', name: 'bzip2-compressed data' }],
  ['\xfd7zXZ\0', { is: 'other', name: 'xz-compressed data' }],
  ['\x28\xb5\x2f\xfd', { is: 'other', name: 'zstd-compressed data' }],
  ['7z\xbc\xaf\x27\x1c', { is: 'other', name: 'a 7-Zip archive' }],
  ['\x7fELF', { is: 'other', name: 'an ELF program or library' }],
  ['MZ', { is: 'other', name: 'a Windows program or library' }],
  ['\xcf\xfa\xed\xfe', { is: 'other', name: 'a macOS program or library' }],
  ['\xca\xfe\xba\xbe', { is: 'other', name: 'a Java class or a macOS program' }],
  ['\0asm', { is: 'other', name: 'a WebAssembly module' }],
  ['SQLite format 3\0', { is: 'other', name: 'an SQLite database' }],
  ['OggS', { is: 'other', name: 'Ogg audio or video' }],
  ['ID3', { is: 'other', name: 'MP3 audio' }],
  ['fLaC', { is: 'other', name: 'FLAC audio' }],
  ['\x1aE\xdf\xa3', { is: 'other', name: 'Matroska or WebM video' }],
  ['wOFF', { is: 'other', name: 'a web font' }],
  ['wOF2', { is: 'other', name: 'a web font' }],
  ['BM', { is: 'other', name: 'a BMP image' }],
]

/** Only asked of what is not text, except for PDF and images, whose beginnings no text has. */
export function kindOf(bytes: Buffer): Kind {
  const beginning = bytes.toString('latin1', 0, 32)
  if (beginning.startsWith('RIFF') && beginning.slice(8, 12) === 'WEBP')
    return { is: 'image', mediaType: 'image/webp' }
  if (beginning.slice(4, 8) === 'ftyp')
    return { is: 'other', name: 'MP4 video, or an image like HEIC or AVIF' }
  return BEGINNINGS.find(([mark]) => beginning.startsWith(mark))?.[1] ?? { is: 'other', name: 'binary data' }
}

export function sizeInWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const units = ['KB', 'MB', 'GB', 'TB']
  let [size, unit] = [bytes / 1024, 0]
  while (size >= 1024 && unit < units.length - 1) [size, unit] = [size / 1024, unit + 1]
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`
}
