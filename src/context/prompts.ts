import { readFile } from 'node:fs/promises'

/** A prompt of ours, by the name of its file in `prompts/`. */
export async function loadPrompt(
  name: 'agent' | 'continue' | 'notes' | 'resume' | 'rules' | 'summarise' | 'tools',
): Promise<string> {
  const text = await readFile(new URL(`../../prompts/${name}.md`, import.meta.url), 'utf8')
  return text.replaceAll('\r\n', '\n').trim()
}
