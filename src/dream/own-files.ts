/** The owner's own files that a dream may touch besides memories. */
import { join } from 'node:path'
import type { Home } from '../config/index.ts'
import { readSmallFile } from '../store/index.ts'

const OWN_FILES = ['USER.md', 'SOUL.md'] as const

export function isOwnFile(file: string): boolean {
  return (OWN_FILES as readonly string[]).includes(file)
}

export function isSkillFile(file: string): boolean {
  return skillNameOf(file) !== undefined
}

export function skillNameOf(file: string): string | undefined {
  return /^skills\/([a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?)\/SKILL\.md$/.exec(file)?.[1]
}

export function readOwnFiles(home: Home): { file: string; text: string }[] {
  return OWN_FILES.flatMap(file => {
    const text = readSmallFile(join(home.path, file))
    return text === undefined ? [] : [{ file, text }]
  })
}
