import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, constants, openSync, unlinkSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PRIVATE_FILE } from '../../store/index.ts'

export interface OutputPipe {
  reader: Socket
  /** For the command, as both its outputs. */
  writer: number
  /** To be called once the command has been started: the reader ends when nobody holds the writer. */
  closeWriter(): void
}

/**
 * A pipe whose one end is given to a command as stdout and stderr, so that what it prints stays in order. Node's own
 * pipes are sockets, and two of them: the order is lost, and scripts that write to /dev/stderr fail.
 */
export async function openOutputPipe(): Promise<OutputPipe> {
  const path = join(tmpdir(), `.reverie-${randomBytes(8).toString('hex')}.pipe`)
  await promisify(execFile)('mkfifo', ['-m', PRIVATE_FILE.toString(8), path])
  try {
    // In this order, and the first without waiting, neither blocks.
    const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const writer = openSync(path, constants.O_WRONLY)
    const reader = new Socket({ fd: readEnd, readable: true, writable: false })
    return { reader, writer, closeWriter: () => closeSync(writer) }
  } finally {
    unlinkSync(path)
  }
}
