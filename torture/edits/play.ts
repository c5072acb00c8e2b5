/** Two agents that read, edit, patch and rewrite the same files, at once or one after the other. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { fileAgent } from '../../src/tools/files/agent.fixture.ts'

type Agent = ReturnType<typeof fileAgent>

const FILES = ['a', 'b']

export const step = fc.record({
  agent: fc.constantFrom(0, 1),
  file: fc.constantFrom(...FILES),
  act: fc.constantFrom('read', 'edit', 'edit', 'write', 'patch', 'read'),
  /** Whether the next step waits for this one. */
  wait: fc.boolean(),
})
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/**
 * Every change adds a line of its own. What an agent knows is what its last read of the file showed and what it
 * added since; a whole rewrite keeps exactly that. So a line that was acknowledged may be missing at the end only if
 * somebody rewrote the file who did not know it, which is what must not happen.
 */
class Play {
  readonly agents: readonly Agent[]
  readonly root: string
  readonly acknowledged = new Map<string, string[]>(FILES.map(file => [file, []]))
  refused = 0
  #known = new Map<string, string[]>()
  #count = 0
  #locks: string

  constructor() {
    this.root = directory()
    this.#locks = directory()
    const where = { root: this.root, locks: this.#locks }
    this.agents = [0, 1].map(() => fileAgent({ ...where, own: directory() }))
    for (const file of FILES) writeFileSync(join(this.root, file), 'top\nend\n')
  }

  async take({ agent: who, file, act }: Step): Promise<void> {
    const agent = this.agents[who]
    if (!agent) return
    const line = `line ${this.#count++} of ${who}`
    const key = `${who} ${file}`
    try {
      if (act === 'read') {
        agent.seen.forgetShown()
        const shown = await agent.text('read_file', { path: file })
        this.#known.set(
          key,
          shown.split('\n').map(each => each.replace(/^ *\d+\t/, '')),
        )
        return
      }
      if (act === 'edit') await agent.text('edit_file', { path: file, old: 'end\n', new: `${line}\nend\n` })
      else if (act === 'patch') {
        const patch = [
          '*** Begin Patch',
          `*** Update File: ${file}`,
          '@@',
          `+${line}`,
          ' end',
          '*** End Patch',
        ]
        await agent.text('apply_patch', { patch: patch.join('\n') })
      } else {
        const content = [line, ...(this.#known.get(key) ?? [])]
        await agent.text('write_file', { path: file, content: `${content.join('\n')}\n` })
        this.#known.set(key, content)
      }
    } catch (error) {
      if (!(error instanceof Error) || !/read|changed|created|fit/i.test(error.message)) throw error
      this.refused++
      return
    }
    this.acknowledged.get(file)?.push(line)
    if (act === 'edit' || act === 'patch') this.#learn(key, line)
  }

  remove(): void {
    const own = this.agents.map(({ outputs }) => outputs)
    for (const directory of [this.root, this.#locks, ...own])
      rmSync(directory, { recursive: true, force: true })
  }

  /** Who changed a part knows that part, and no more of the file than before. */
  #learn(key: string, line: string): void {
    const known = this.#known.get(key)
    if (known) this.#known.set(key, known.toSpliced(known.lastIndexOf('end'), 0, line))
  }
}

/** Removed at the end of each play, of which there may be thousands. */
function directory(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'reverie-edits-')))
}

/** What was acknowledged and is not there at the end. */
export async function play(
  steps: readonly Step[],
): Promise<{ lost: string[]; made: number; refused: number }> {
  const played = new Play()
  // One agent does one thing after the other; two do theirs at once.
  const running = [Promise.resolve(), Promise.resolve()]
  for (const each of steps) {
    const next = running[each.agent]?.then(() => played.take(each)) ?? Promise.resolve()
    running[each.agent] = next
    if (each.wait) await Promise.all(running)
  }
  await Promise.all(running)
  const lost = FILES.flatMap(file => {
    const lines = readFileSync(join(played.root, file), 'utf8').split('\n')
    return (played.acknowledged.get(file) ?? []).filter(line => !lines.includes(line))
  })
  const made = [...played.acknowledged.values()].flat().length
  played.remove()
  return { lost, made, refused: played.refused }
}
