import type { Agent } from '../../agent/index.ts'

type Speaking = Pick<Agent, 'steer' | 'unsay' | 'unheard'>

/** What the person said while the agent worked, until it is heard. */
export class Unheard {
  #waiting: { id: string; text: string }[] = []

  get texts(): string[] {
    return this.#waiting.map(({ text }) => text)
  }

  say(agent: Speaking, text: string, priority: 'next' | 'now'): void {
    this.#waiting.push({ id: agent.steer(text, priority), text })
  }

  /** Those that were heard by now: they are a part of the conversation. */
  takeHeard(agent: Speaking): string[] {
    if (this.#waiting.length === 0) return []
    const unheard = new Set(agent.unheard)
    const heard = this.#waiting.filter(({ id }) => !unheard.has(id))
    this.#waiting = this.#waiting.filter(({ id }) => unheard.has(id))
    return heard.map(({ text }) => text)
  }

  /** The last one, taken back to be changed and said again; or why that cannot be. */
  takeBack(agent: Speaking): { text: string } | { problem: string } {
    const last = this.#waiting.pop()
    if (!last) return { problem: 'There is nothing to take back.' }
    return agent.unsay(last.id) ? { text: last.text } : { problem: 'That was heard already.' }
  }
}
