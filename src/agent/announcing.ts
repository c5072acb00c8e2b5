/** Tells of the skills that wait for a file such as the one that was just touched, each once. */
import { statSync } from 'node:fs'
import { inFence } from '../context/index.ts'
import type { Skills } from '../skills/index.ts'
import type { Tool } from '../tools/index.ts'

export class Announcing {
  #skills: Skills
  #told = new Set<string>()

  constructor(skills: Skills) {
    this.#skills = skills
  }

  /** What to say after a call. */
  after(tool: Tool | undefined, input: unknown): string[] {
    const fitting = filesOf(tool, input)
      .flatMap(path => this.#skills.fitting(path))
      .filter(({ name }) => !this.#told.has(name))
    const news = [...new Map(fitting.map(skill => [skill.name, skill])).values()]
    if (news.length === 0) return []
    for (const { name } of news) this.#told.add(name)
    const list = news.map(({ name, description }) => `- ${name}: ${description}`).join('\n')
    return [`Skills for such files, to be loaded with \`skill\`:\n${inFence('skills', {}, list)}`]
  }

  /** What was told has left the conversation. */
  forget(): void {
    this.#told.clear()
  }
}

function filesOf(tool: Tool | undefined, input: unknown): string[] {
  if (tool?.touches === undefined) return []
  try {
    return tool
      .touches(input)
      .flatMap(touch => (touch.kind === 'read' || touch.kind === 'write' ? [touch.path] : []))
      .filter(path => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
  } catch {
    return [] // no input that the tool takes
  }
}
