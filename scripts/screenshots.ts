/** Makes the pictures of the README and of docs/page.md, from the real page and a home that is made for it. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page as Tab } from 'playwright-core'
import { DEFAULTS, findProject, homeAt } from '../src/config/index.ts'
import { Memory } from '../src/memory/index.ts'
import { openPage } from '../src/surfaces/web/index.ts'
import { seedHome } from './seeded-home.ts'

const OUT = process.argv[2] ?? 'docs/pictures'
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const DESKTOP = { width: 1180, height: 760 }
const PHONE = { width: 390, height: 760 }
/** Charts and fonts need a moment. */
const SETTLE_MS = 400

interface Picture {
  name: string
  path: string
  dark?: boolean
  phone?: boolean
  prepare?(tab: Tab): Promise<void>
}

const PICTURES: Picture[] = [
  {
    name: 'chat',
    path: '/',
    async prepare(tab) {
      const say = async (text: string, sign: string) => {
        await tab.getByLabel('Message').fill(text)
        await tab.getByLabel('Message').press('Enter')
        await tab.locator(sign).last().waitFor()
      }
      await say('What do you know about our releases?', '.reply')
      await say('Remember that the changelog is written before the freeze.', '.effect')
      await tab.getByLabel('Message').blur()
    },
  },
  { name: 'memory', path: '/memory', prepare: tab => tab.locator('.chart path').first().waitFor() },
  {
    name: 'dreams',
    path: '/dreams',
    dark: true,
    async prepare(tab) {
      await tab.locator('ol.cards a').first().click()
      await tab.locator('.diff').first().waitFor()
    },
  },
  {
    name: 'tasks',
    path: '/tasks',
    phone: true,
    dark: true,
    prepare: tab => tab.locator('.node').first().waitFor(),
  },
]

const root = mkdtempSync(join(tmpdir(), 'reverie-pictures-'))
const browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET })
try {
  const seeded = await seedHome(root)
  const [home, project] = [homeAt(seeded.home), findProject(seeded.project)]
  using memory = await Memory.open({ home, project })
  await using page = await openPage({
    home,
    project,
    memory,
    env: {},
    config: async () => ({ config: structuredClone(DEFAULTS), sources: new Map() }),
    version: '',
    log: text => console.error(text),
    port: 0,
  })
  mkdirSync(OUT, { recursive: true })
  for (const { name, path, dark = false, phone = false, prepare } of PICTURES) {
    const context = await browser.newContext({
      viewport: phone ? PHONE : DESKTOP,
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
      locale: 'en-GB',
    })
    const tab = await context.newPage()
    await tab.goto(page.link())
    await tab.goto(page.url + path)
    await prepare?.(tab)
    await tab.waitForTimeout(SETTLE_MS)
    await tab.screenshot({ path: join(OUT, `${name}.png`) })
    await context.close()
  }
} finally {
  await browser.close()
  rmSync(root, { recursive: true, force: true })
}
