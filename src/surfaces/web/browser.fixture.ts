/** The browser of the system, with the page in it. */
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page as Tab } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import type { ServedPage } from './web.fixture.ts'

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
/** What a browser would ask the network for by itself. */
const QUIET = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-dev-shm-usage'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]
export const PATIENCE_MS = 30_000

export const hasBrowser = CHROMIUM !== undefined
if (!hasBrowser)
  process.stderr.write('\n*** NO CHROMIUM IS INSTALLED: the page was NOT tested in a browser. ***\n\n')

/** One browser for all tests of a file, which opens a page in a window of its own for each. */
export function useBrowser(): (served: ServedPage, options?: LookOptions) => Promise<Tab> {
  let browser: Browser
  beforeAll(async () => {
    const { chromium } = await import('playwright-core')
    browser = await chromium.launch({ executablePath: onOneProcessor(CHROMIUM ?? ''), args: QUIET })
  })
  afterAll(() => browser.close())
  return async ({ page }, { mayComplain = false, ...options } = {}) => {
    const context = await browser.newContext({
      viewport: { width: 1200, height: 800 },
      reducedMotion: 'reduce',
      ...options,
    })
    context.setDefaultTimeout(PATIENCE_MS)
    const complaints: string[] = []
    context.on('console', message => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    context.on('weberror', error => complaints.push(error.error().message))
    onTestFinished(async () => {
      await context.close()
      if (!mayComplain) expect(complaints, 'what the browser complained about').toEqual([])
    })
    const tab = await context.newPage()
    await tab.goto(page.link())
    return tab
  }
}

/**
 * On some virtual machines the clocks of two processors differ by milliseconds. Chromium ends its network
 * process when time goes backward, and with that process go the cookies of a window that keeps nothing.
 */
function onOneProcessor(program: string): string {
  const allowed = spawnSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8' }).stdout ?? ''
  const [processor] = /\d+(?=[\d,-]*\s*$)/.exec(allowed) ?? []
  if (processor === undefined) return program
  const wrapper = join(temporaryDirectory(afterAll), 'browser')
  writeFileSync(wrapper, `#!/bin/sh\nexec taskset -c ${processor} '${program}' "$@"\n`, { mode: 0o755 })
  return wrapper
}

export type LookOptions = Parameters<Browser['newContext']>[0] & {
  /** Where a server goes away, a browser says so. */
  mayComplain?: boolean
}

export async function say(tab: Tab, text: string): Promise<void> {
  await tab.getByLabel('Message').fill(text)
  await tab.getByLabel('Message').press('Enter')
}

export function visit(tab: Tab, name: string): Promise<void> {
  return tab.getByRole('navigation').getByRole('link', { name, exact: true }).click()
}
