import { readFile } from 'node:fs/promises'

/** A prompt of ours, by the name of its file in `prompts/`. */
export async function loadPrompt(
  name:
    | 'agent'
    | 'continue'
    | 'daily-log'
    | 'dream-analyse'
    | 'dream-edit'
    | 'extract'
    | 'notes'
    | 'resume'
    | 'rules'
    | 'schedule'
    | 'select'
    | 'skills'
    | 'servers'
    | 'summarise'
    | 'tools',
): Promise<string> {
  const text = await readFile(new URL(`../../prompts/${name}.md`, import.meta.url), 'utf8')
  return text.replaceAll('\r\n', '\n').trim()
}
