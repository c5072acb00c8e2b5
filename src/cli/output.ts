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
