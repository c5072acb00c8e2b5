import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { DEFAULTS, homeAt } from '../config/index.ts'
import { Memory } from '../memory/index.ts'
import { temporaryDirectory } from '../store/temporary-directory.fixture.ts'
import type { DreamContext } from './dream.ts'
import type { Dreamer } from './dreamer.ts'
import { embeddedDreamer } from './mind/index.ts'

/** A project with a memory of its own, to be dreamt about. */
export async function workplace(
  dreamer: Dreamer = embeddedDreamer,
  config: Partial<typeof DEFAULTS.dream> = {},
) {
  const root = temporaryDirectory()
  const [home, project] = [homeAt(join(root, 'home')), { root, slug: 'p-1' }]
  const memory = await Memory.open({ home, project })
  onTestFinished(() => memory[Symbol.dispose]())
  const context: DreamContext = {
    home,
    project,
    memory,
    dreamer,
    config: { ...DEFAULTS, dream: { ...DEFAULTS.dream, ...config } },
  }
  const directory = memory.place('project')
  const save = (name: string, body: string, type: 'user' | 'project' | 'feedback' = 'user') =>
    memory.save({ type, name, description: `About ${name}`, body })
  /** As somebody writes by hand: no index, no journal, and no time. */
  const put = (name: string, body: string, type: 'user' | 'project' | 'feedback' = 'user') => {
    mkdirSync(directory, { recursive: true })
    const text = `---\nname: ${name}\ndescription: About ${name}\ntype: ${type}\n---\n\n${body}\n`
    writeFileSync(join(directory, `${type}_${name.toLowerCase().replaceAll(' ', '-')}.md`), text)
  }
  const texts = () =>
    Object.fromEntries(
      readdirSync(directory)
        .filter(name => name.endsWith('.md') && name !== 'MEMORY.md')
        .map(name => [name, readFileSync(join(directory, name), 'utf8')]),
    )
  return { root, home, project, memory, context, directory, save, put, texts }
}
