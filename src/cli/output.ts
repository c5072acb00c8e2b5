import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** What a command says: one JSON document, or text for a person. Messages go to stderr either way. */
export class Output {
  readonly json: boolean

  constructor(json: boolean) {
    this.json = json
  }

  /** The command's answer. `text` is only made when a person reads it. */
  result(value: unknown, text: () => string): void {
    const body = this.json ? JSON.stringify(value, null, 2) : text()
    if (body !== '') process.stdout.write(body.endsWith('\n') ? body : `${body}\n`)
  }

  /** Something beside the answer. */
  message(text: string): void {
    process.stderr.write(`${text}\n`)
  }
}

/** Colours for stdout; none when it is not a terminal, or `NO_COLOR` is set. */
export function styled(style: Style, text: string): string {
  return colour(style, text, process.stdout)
}

/** The same for stderr. */
export function styledError(style: Style, text: string): string {
  return colour(style, text, process.stderr)
}

/** Node lets FORCE_COLOR win over NO_COLOR; whoever wants no colours gets none. */
function colour(style: Style, text: string, stream: NodeJS.WriteStream): string {
  return process.env.NO_COLOR ? text : styleText(style, text, { stream })
}
