import { oneOf } from '../random.ts'

/** Pieces that have broken parsers before. */
const PIECES = [
  '---',
  '---\n',
  '\n',
  '\r\n',
  '\r',
  '\0',
  '\uFEFF',
  ': ',
  'name: ',
  'name:',
  'description: ',
  'type: user\n',
  'type: ',
  'pinned: true\n',
  '"',
  "'",
  '[',
  ']',
  '{',
  '}',
  '&a ',
  '*a',
  '!!js/function ',
  '|\n',
  '>\n',
  '#',
  '- ',
  '? ',
  '%YAML 1.2\n',
  '<<: ',
  '../',
  '/',
  '\\',
  '..',
  '\u2215',
  '\uff0f',
  '\u202e',
  '\ud800',
  '\u{1f600}',
  '制表符',
  'é',
  'e\u0301',
  'CON',
  'nul',
  '~',
  '$(id)',
  '`id`',
  '%00',
  '%2e%2e%2f',
  '- [x](y.md)',
  '](',
  '(((',
  '## About the owner',
  'MEMORY.md',
  '"OR"',
  'NEAR(',
  'a*',
  '^',
  '1e999',
  'yesterday',
  '昨天',
  'password = hunter22',
]

export function garbage(random: () => number, most = 12): string {
  let text = ''
  for (let left = Math.floor(random() * most); left >= 0; left--) {
    const dice = random()
    if (dice < 0.7) text += oneOf(random, PIECES)
    else if (dice < 0.9) text += String.fromCodePoint(Math.floor(random() * 0xffff))
    else text += oneOf(random, PIECES).repeat(1 + Math.floor(random() * 200))
  }
  return text
}

/** Frontmatter and a body, of which some could be a memory's. */
export function garbageFile(random: () => number): string {
  const valid = random() < 0.4 ? 'type: user\nname: n\n' : ''
  const odd = random() < 0.7 ? garbage(random, valid ? 4 : 12) : ''
  return `---\n${valid}${odd}\n---\n${garbage(random)}`
}

export function garbageBytes(random: () => number): Buffer {
  const bytes = Buffer.from(garbageFile(random))
  if (random() < 0.5) return bytes
  for (let flips = 1 + Math.floor(random() * 8); flips > 0; flips--)
    bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
  return bytes
}
