/** Everything but tab and line feed that moves a cursor, changes colours or reorders text. */
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Text that somebody else may have written, for a terminal: what would steer it is shown, not obeyed. */
export function printable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(STEERING, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
