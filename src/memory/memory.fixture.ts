import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { homeAt } from '../config/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import type { Embedder } from './likeness.ts'
import { Memory } from './memory.ts'
import type { MemoryDraft } from './save.ts'

export { DAY_MS } from './age.ts'

/** A memory in a fresh home, with a clock that stands still until it is moved. */
export async function freshMemory(options: { directory?: string; root?: string; embedder?: Embedder } = {}) {
  const root = options.root ?? temporaryDirectory()
  const clock = { now: new Date('2026-04-08T12:00:00Z') }
  const open = async () => {
    const memory = await Memory.open({
      home: homeAt(join(root, 'home')),
      project: { root: join(root, 'project'), slug: 'project-1' },
      directory: options.directory,
      embedder: options.embedder,
      now: () => clock.now,
    })
    onTestFinished(() => memory[Symbol.dispose]())
    return memory
  }
  const directory = options.directory ?? join(root, 'home', 'projects', 'project-1', 'memory')
  return { root, directory, clock, memory: await open(), open }
}

export function draft(name: string, more: Partial<MemoryDraft> = {}): MemoryDraft {
  return { type: 'user', name, description: `About ${name}`, body: `All about ${name}.`, ...more }
}
