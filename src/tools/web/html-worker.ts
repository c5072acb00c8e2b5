/** A thread that reads one page. */
import { parentPort, workerData } from 'node:worker_threads'
import { type PageText, plainText } from './plain-text.ts'

export interface HtmlTask {
  html: string
  address: string
  form: 'markdown' | 'plain'
}

parentPort?.postMessage(await read(workerData))

async function read({ html, address, form }: HtmlTask): Promise<PageText> {
  if (form === 'plain') return plainText(html)
  const { toMarkdown } = await import('./markdown.ts')
  return toMarkdown(html, address)
}
