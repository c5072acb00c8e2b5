/** Two agents that change the same files at the same time lose nothing silently. */
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { fileAgent } from './agent.fixture.ts'

type Agent = ReturnType<typeof fileAgent>

const SEQUENCES = Number(process.env.REVERIE_EDIT_SEQUENCES ?? 40)

const FILES = ['a', 'b']

const step = fc.record({
  agent: fc.constantFrom(0, 1),
  file: fc.constantFrom(...FILES),
  act: fc.constantFrom('read', 'edit', 'edit', 'write', 'patch', 'read'),
  /** Whether the next step waits for this one. */
  wait: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/**
 * Every change adds a line of its own. What an agent knows is what its last read of the file showed and what it
 * added since; a whole rewrite keeps exactly that. So a line that was acknowledged may be missing at the end only if
 * somebody rewrote the file who did not know it, which is what must not happen.
 */
class Play {
  readonly agents: readonly Agent[]
  readonly root: string
  readonly acknowledged = new Map<string, string[]>(FILES.map(file => [file, []]))
  #known = new Map<string, string[]>()
  #count = 0

  constructor() {
    this.root = realpathSync(temporaryDirectory())
    const locks = temporaryDirectory()
    this.agents = [fileAgent({ root: this.root, locks }), fileAgent({ root: this.root, locks })]
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
      if (error instanceof Error && /read|changed|created|fit/i.test(error.message)) return
      throw error
    }
    this.acknowledged.get(file)?.push(line)
    if (act === 'edit' || act === 'patch') this.#learn(key, line)
  }

  /** Who changed a part knows that part, and no more of the file than before. */
  #learn(key: string, line: string): void {
    const known = this.#known.get(key)
    if (known) this.#known.set(key, known.toSpliced(known.lastIndexOf('end'), 0, line))
  }
}

test(`${SEQUENCES} random sequences of changes by two agents`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async steps => {
      const play = new Play()
      // One agent does one thing after the other; two do theirs at once.
      const running = [Promise.resolve(), Promise.resolve()]
      for (const each of steps) {
        const next = running[each.agent]?.then(() => play.take(each)) ?? Promise.resolve()
        running[each.agent] = next
        if (each.wait) await Promise.all(running)
      }
      await Promise.all(running)
      for (const file of FILES) {
        const lines = readFileSync(join(play.root, file), 'utf8').split('\n')
        const missing = (play.acknowledged.get(file) ?? []).filter(line => !lines.includes(line))
        expect(missing).toEqual([])
      }
      rmSync(play.root, { recursive: true })
      mkdirSync(play.root)
    }),
    { numRuns: SEQUENCES },
  )
})

test('of two edits at once of the same file one is made, and the other is told to read again', async () => {
  const root = realpathSync(temporaryDirectory())
  const locks = temporaryDirectory()
  const agents = [fileAgent({ root, locks }), fileAgent({ root, locks })]
  for (let round = 0; round < 20; round++) {
    writeFileSync(join(root, 'a'), 'x\n')
    const tries = agents.map(async (agent, who) => {
      agent.seen.forgetShown()
      await agent.text('read_file', { path: 'a' })
      return () => agent.text('edit_file', { path: 'a', old: 'x', new: `x by ${who}` })
    })
    const edits = await Promise.all(tries)
    const done = await Promise.allSettled(edits.map(edit => edit()))
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  }
})
