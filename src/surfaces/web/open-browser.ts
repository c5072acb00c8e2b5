/** Shows a link in the owner's browser, where there is a desktop. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Home } from '../../config/index.ts'
import { ensureDirectory, PRIVATE_FILE, writeFileAtomic } from '../../store/index.ts'

/** What opens a file on this desktop; undefined where there is none. */
export function opener(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string[] | undefined {
  if (env.CI) return undefined
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['cmd', '/c', 'start', '']
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}

/** By way of a private file: what stands on a command line can be read by every user of the machine. */
export async function openBrowser(home: Home, link: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const [program, ...args] = opener(process.platform, env) ?? []
  if (program === undefined) return false
  await ensureDirectory(home.cache)
  const file = join(home.cache, 'open-page.html')
  const text = `<!doctype html><meta http-equiv="refresh" content="0; url=${link}"><title>Reverie</title>\n`
  await writeFileAtomic(file, text, { mode: PRIVATE_FILE })
  return new Promise(resolve => {
    const child = spawn(program, [...args, file], { detached: true, stdio: 'ignore' })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
