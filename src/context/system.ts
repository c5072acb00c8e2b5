import type { Memory } from '../memory/index.ts'
import { loadPrompt } from './prompts.ts'

/**
 * The sections of the system prompt, the most stable first. They are made when a session starts and stay as they
 * are: what is remembered later arrives with a message, so that what a provider has cached stays good.
 */
export async function systemPrompt(memory: Memory | undefined): Promise<string[]> {
  const identity = await loadPrompt('agent')
  return memory ? [identity, await memory.prompt()] : [identity]
}
