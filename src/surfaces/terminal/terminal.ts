import { EMBEDDED } from '../../models/index.ts'
import { printable } from '../text/printable.ts'
import { Chat } from './chat.ts'
import type { ChatContext } from './commands.ts'
import { KeyReader } from './keys.ts'
import { Screen } from './screen.ts'
import { BOLD, DIM, type Line, line, span } from './style.ts'
import { Tty } from './tty.ts'
import { TypedHistory } from './typed-history.ts'
import { wrap } from './wrap.ts'

/** How long a lone Escape waits for what would make a sequence of it. */
const ESCAPE_MS = 40
/** What a window is taken for that does not say its size. */
const [COLUMNS, ROWS] = [80, 24]
const SIGNALLED = 128
const SIGNAL_NUMBERS: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 1, SIGTERM: 15 }

const CONNECT = [
  'No language model is connected: this is the built-in mind, which remembers what you tell it and finds it again.',
  'To connect one, leave with Ctrl-D, export ANTHROPIC_API_KEY=… (or the key of OpenAI, Google, xAI …; or start Ollama), and come back.',
]

/** A conversation in the terminal, until the person ends it. */
export async function talkInTerminal(context: ChatContext): Promise<void> {
  const { stdin, stdout } = process
  const colours = !process.env.NO_COLOR && stdout.hasColors()
  const screen = new Screen(
    {
      write: text => stdout.write(text),
      get columns() {
        return stdout.columns || COLUMNS
      },
      get rows() {
        return stdout.rows || ROWS
      },
    },
    { colours },
  )
  const history = await TypedHistory.open(context.home.path)
  const reader = new KeyReader()
  let waiting: NodeJS.Timeout | undefined
  let isReady = false
  const tty = new Tty({
    input: stdin,
    output: stdout,
    onData(text) {
      clearTimeout(waiting)
      // What was typed before this was ready, the terminal has taken for lines.
      const typed = isReady ? text : text.replaceAll('\n', '\r')
      isReady = true
      for (const input of reader.read(typed)) chat.input(input)
      if (!reader.isWaiting) return
      waiting = setTimeout(() => {
        for (const input of reader.flush()) chat.input(input)
      }, ESCAPE_MS)
    },
    onResize: () => chat.resized(),
    onReturn: () => chat.returned(),
    onEnd(signal) {
      const number = signal && SIGNAL_NUMBERS[signal]
      if (number !== undefined) process.exitCode = SIGNALLED + number
      chat.end()
    },
  })
  const chat = new Chat({
    context,
    screen,
    history,
    suspend() {
      screen.clear()
      tty.suspend()
    },
  })
  tty.open()
  try {
    await chat.run(welcome(context, screen.columns))
  } finally {
    clearTimeout(waiting)
    chat.close()
    tty.close()
  }
  const { agent } = context
  if (agent.messages.length > 0)
    stdout.write(`${printable(`To go on: reverie sessions resume ${agent.transcript.id}`)}\n`)
}

function welcome({ agent, project }: ChatContext, columns: number): Line[] {
  const rows: Line[] = [
    [span('Reverie', BOLD), span(` · ${agent.model.id} · ${project.root}`, DIM)],
    line('/ lists the commands, Esc interrupts, Ctrl-D ends.', DIM),
    ...(agent.model.id === EMBEDDED ? [[], ...CONNECT.map(text => line(text))] : []),
  ]
  return rows.flatMap(row => wrap(row, columns))
}
