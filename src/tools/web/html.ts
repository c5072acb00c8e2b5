import { Worker } from 'node:worker_threads'
import type { HtmlTask } from './html-worker.ts'
import { unlessAborted } from './patience.ts'
import type { PageText } from './plain-text.ts'

/** Built files stand beside this one under the same ending as it has. */
const WORKER = new URL(`./html-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)

/** Of a page, in characters: so many take turndown about 5 s. What comes after is left out. */
export const LONGEST_HTML = 5_000_000
const LONGEST_CONVERSION_MS = 10_000
/** In MB. A tree of 5 MB of tags takes less; the stack is for what is nested a few thousand deep. */
const RESOURCES = { maxOldGenerationSizeMb: 1_024, stackSizeMb: 16 }

export interface HtmlText extends PageText {
  /** Otherwise only the words are left. */
  isMarkdown: boolean
}

/**
 * How long a page takes, and how much memory, is up to who wrote it: so it is read in a thread of its own, which is
 * ended when it takes too much. Then the plain words have to do, which cost the same for all.
 */
export async function readHtml(
  html: string,
  address: string,
  signal: AbortSignal,
  longestMs = LONGEST_CONVERSION_MS,
): Promise<HtmlText> {
  const page = { html: html.slice(0, LONGEST_HTML), address }
  try {
    const enough = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
    return { ...(await inThread({ ...page, form: 'markdown' }, enough)), isMarkdown: true }
  } catch {
    signal.throwIfAborted()
    return { ...(await inThread({ ...page, form: 'plain' }, signal)), isMarkdown: false }
  }
}

async function inThread(task: HtmlTask, signal: AbortSignal): Promise<PageText> {
  const { promise, resolve, reject } = Promise.withResolvers<PageText>()
  const worker = new Worker(WORKER, { workerData: task, name: 'web page', resourceLimits: RESOURCES })
  worker.once('message', resolve)
  // Stays: an error may come after the answer, or when nobody waits for one.
  worker.on('error', reject)
  worker.once('exit', code => reject(new Error(`The thread that reads a page ended early (${code}).`)))
  try {
    return await unlessAborted(promise, signal)
  } finally {
    await worker.terminate()
  }
}
