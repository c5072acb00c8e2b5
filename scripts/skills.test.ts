import { globSync, readFileSync } from 'node:fs'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { COMMANDS } from '../src/cli/commands.ts'
import { SLASH_COMMANDS } from '../src/surfaces/slash/index.ts'

const SKILLS = globSync('prompts/skills/*/SKILL.md')
const SOURCES = globSync('src/{tools,agent}/**/*.ts').map(file => readFileSync(file, 'utf8'))

async function subcommandsOf(name: string): Promise<string[]> {
  const command = new Command(name)
  const file = await COMMANDS[name]?.load()
  file?.define(command)
  return command.commands.map(sub => sub.name())
}

test.each(SKILLS)('%s names only commands and tools that there are', async file => {
  const text = readFileSync(file, 'utf8')
  for (const [, name = '', sub = ''] of text.matchAll(/`reverie ([a-z]+)(?: ([a-z]+))?/g)) {
    expect(Object.keys(COMMANDS)).toContain(name)
    const known = await subcommandsOf(name)
    if (sub !== '' && known.length > 0) expect(known, `reverie ${name}`).toContain(sub)
  }
  for (const [, name = ''] of text.matchAll(/`\/([a-z-]+)/g))
    expect(SLASH_COMMANDS.map(command => command.name)).toContain(name)
  for (const [, name = ''] of text.matchAll(/`([a-z]+_[a-z_]+)`/g))
    expect(
      SOURCES.some(source => source.includes(`name: '${name}'`)),
      name,
    ).toBe(true)
})
