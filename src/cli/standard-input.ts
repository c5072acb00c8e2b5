import { text } from 'node:stream/consumers'
import { because, ReverieError } from '../store/index.ts'

/** What an argument says; `-` stands for all that standard input brings, however long that takes. */
export async function orStandardInput(argument: string): Promise<string> {
  if (argument !== '-') return argument
  try {
    // Not by its descriptor: whoever writes slowly would be an error (EAGAIN) once the stream has been touched.
    return await text(process.stdin)
  } catch (error) {
    throw new ReverieError(`Could not read from standard input: ${because(error)}.`, { cause: error })
  }
}
