/** How to go on where a program asks: by kind of question. */
interface Question {
  asks: RegExp
  advice: string
}

const YES = 'pass its flag for no questions (such as --yes, -y, --force or --no-input), or pipe the answer in'
const PASSWORD =
  'use a key, a token or a flag that needs no password (for sudo: `sudo -n`), or ask the person to run it'
const PAGED = 'pipe it through `cat`, or pass --no-pager'

/** What is a question wherever it stands, also when the line is ended. */
const CERTAIN: readonly Question[] = [
  {
    asks: /are you sure you want to continue connecting/i,
    advice: 'add the host key first (`ssh-keyscan`), or pass `-o StrictHostKeyChecking=accept-new`',
  },
  { asks: /^\[sudo\] password|^sudo: a password is required/i, advice: PASSWORD },
  {
    asks: /^(username|password) for '?https?:\/\//i,
    advice: 'use a remote with a key or a credential helper that is already set up, or ask the person',
  },
  {
    asks: /[[(<]\s*(y(es)?\s*[/|]\s*no?|no?\s*[/|]\s*y(es)?)\s*([/|][^\])>]{1,20})?[\])>]\s*[:?]?\s*$/i,
    advice: YES,
  },
  { asks: /\(yes\/no(\/\[fingerprint\])?\)\??\s*$/i, advice: YES },
  // Not what servers say of their keys: "press h + enter to show help".
  {
    asks: /\b(press|hit)\s+(any key|[[<]?(enter|return)[\]>]?)\s*(key\s*)?([.…:]|$|when\b|to (continue|proceed|confirm|accept|begin|start|exit|finish|close)\b)/i,
    advice: YES,
  },
  { asks: /^\(END\)$|^--\s?More\s?--/, advice: PAGED },
]

/** What is a question only while the line is open: a program prints these in passing too. */
const OPEN_LINE: readonly Question[] = [
  {
    asks: /\b(password|passphrase|passcode|pin|otp|verification code)\b[^:?]{0,80}[:?]\s*$/i,
    advice: PASSWORD,
  },
  { asks: /^:$/, advice: PAGED },
  {
    asks: /\b(login|user ?name|e-?mail( address)?|token|api key):\s*$/i,
    advice: 'pass it as a flag or in a file',
  },
  {
    asks: /\b(enter|type|select|choose|choice|pick|specify|provide|input)\b[^\n]{0,120}[:>]\s*$/i,
    advice: 'pass the choice as a flag, or pipe it in',
  },
  { asks: /\?\s*(\[[^\]]{0,40}\]|\([^)]{0,40}\))?\s*[:>›]?\s*$/, advice: YES },
  {
    asks: /^(>>>|\(gdb\)|\(Pdb\)|mysql>|sqlite>|irb.*>|[a-z_]+=[#>])\s*$/i,
    advice: 'give it a script (`-c`, `-e` or a file) in place of a session',
  },
]

export interface Prompt {
  /** The line that asks. */
  line: string
  /** How the command can be run so that it need not ask. */
  advice: string
}

const LONGEST_LINE = 300

/** The question that output ends with, if it ends with one. `end` is the last part of it, made readable. */
export function promptIn(end: string): Prompt | undefined {
  const open = !end.endsWith('\n')
  const line = end.trimEnd().split('\n').at(-1)?.trim().slice(-LONGEST_LINE) ?? ''
  if (line === '') return undefined
  const found = [...CERTAIN, ...(open ? OPEN_LINE : [])].find(({ asks }) => asks.test(line))
  return found && { line, advice: found.advice }
}
