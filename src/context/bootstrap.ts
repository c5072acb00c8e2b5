/** Files of the owner's: those that reach every prompt, and the tasks of the gateway. Made from templates once; what the owner wrote is never written over. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Home } from '../config/index.ts'
import { ensureDirectory, PRIVATE_FILE, readSmallFile, systemCode } from '../store/index.ts'
import { cutToRoom } from './cut-to-room.ts'

export const BOOTSTRAP_FILES = ['AGENTS.md', 'SOUL.md', 'USER.md', 'TOOLS.md'] as const
export type BootstrapFile = (typeof BOOTSTRAP_FILES)[number]

/** Made with them; what it lists is done by the gateway (docs/work.md). */
const ALSO_MADE = ['HEARTBEAT.md'] as const

const TEMPLATES = new URL('../../prompts/templates/', import.meta.url)
/** Returns the files that were made. One that is there stays as it is, empty ones too. */
export async function makeBootstrapFiles(home: Home): Promise<string[]> {
  const made: string[] = []
  for (const name of [...BOOTSTRAP_FILES, ...ALSO_MADE]) {
    const template = readSmallFile(new URL(name, TEMPLATES).pathname) ?? ''
    try {
      await ensureDirectory(home.path)
      await writeFile(join(home.path, name), template, { flag: 'wx', mode: PRIVATE_FILE })
      made.push(name)
    } catch (error) {
      // There already, or a home that nobody can write to: the conversation does without.
      if (!['EEXIST', 'EACCES', 'EROFS', 'EPERM', 'ENOSPC'].includes(systemCode(error) ?? '')) throw error
    }
  }
  return made
}

/** What the owner wrote into one, without the comments that a template consists of, as far as there is room for it. */
export function bootstrapText(home: Home, name: BootstrapFile, { most }: { most: number }): string {
  const path = join(home.path, name)
  const text = readSmallFile(path) ?? ''
  const said = text.replaceAll(/<!--[\s\S]*?-->/g, '').trim()
  const body = said.replace(/^#[^\n]*\s*/, '').trim()
  return body === '' ? '' : cutToRoom(said, most, path)
}
