/** The system prompt as sections: each made when what it depends on has changed, and kept as it was otherwise. */
import { estimateText } from './tokens.ts'

export interface Section {
  name: string
  /** Before the boundary stands what is the same in every project; after it what is of this one. */
  side: 'stable' | 'project'
  /** What it depends on: while this is the same, so is the section. */
  dependsOn(): Promise<string>
  /** Empty where there is nothing to say. */
  make(): Promise<string>
}

export interface MadeSection {
  name: string
  side: Section['side']
  text: string
  tokens: number
  /** It is not what was sent the last time. */
  changed: boolean
}

/** Sections in their order. Made when asked, from what has changed since. */
export class SystemPrompt {
  #sections: readonly Section[]
  #made = new Map<string, { key: string; text: string; tokens: number }>()
  #sent = new Map<string, string>()

  constructor(sections: readonly Section[]) {
    const sides = sections.map(({ side }) => side)
    if (sides.lastIndexOf('stable') > sides.indexOf('project') && sides.includes('project'))
      throw new RangeError('Sections of a project follow those that are the same everywhere.')
    this.#sections = sections
  }

  /** To be sent: what is made later is compared with this. */
  async make(): Promise<MadeSection[]> {
    const made = await this.look()
    for (const { name, text } of made) this.#sent.set(name, text)
    return made
  }

  /** As it would be sent now. */
  async look(): Promise<MadeSection[]> {
    const made: MadeSection[] = []
    for (const section of this.#sections) {
      const { name, side } = section
      const before = this.#made.get(name)
      const key = await section.dependsOn()
      const text = before?.key === key ? before.text : (await section.make()).trim()
      const tokens = before?.text === text ? before.tokens : estimateText(text)
      this.#made.set(name, { key, text, tokens })
      const sent = this.#sent.get(name)
      made.push({ name, side, text, tokens, changed: sent !== undefined && sent !== text })
    }
    return made
  }
}

/** As it is sent: what is stable first, and each side by itself, since a cache is kept up to the boundary. */
export function joinSections(made: readonly MadeSection[]): string[] {
  const side = (which: Section['side']) =>
    made
      .filter(({ side, text }) => side === which && text !== '')
      .map(({ text }) => text)
      .join('\n\n')
  return [side('stable'), side('project')].filter(text => text !== '')
}
