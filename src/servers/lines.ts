/** Lines out of pieces of bytes; what is longer than allowed is an error of whoever writes it. */
const NEWLINE = 0x0a

export class Lines {
  #chunks: Buffer[] = []
  #bytes = 0
  #most: number

  constructor(most: number) {
    this.#most = most
  }

  /** The lines that are whole with this piece; undefined once one is too long. */
  add(piece: Buffer): string[] | undefined {
    const lines: string[] = []
    let from = 0
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, from)) {
      this.#keep(piece.subarray(from, at))
      if (this.#bytes > this.#most) return undefined
      lines.push(Buffer.concat(this.#chunks).toString('utf8').replace(/\r$/, ''))
      this.#chunks = []
      this.#bytes = 0
      from = at + 1
    }
    this.#keep(piece.subarray(from))
    return this.#bytes > this.#most ? undefined : lines
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return
    this.#chunks.push(piece)
    this.#bytes += piece.length
  }
}
