/** The page in a real browser: what a person does with it, from the first word to the last undo. */
import { existsSync } from 'node:fs'
import axe from 'axe-core'
import type { Browser, Page as Tab } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startFakeProvider } from '../../models/wire.fixture.ts'
import { type ServedPage, servePage } from './web.fixture.ts'

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
/** What a browser would ask the network for by itself. */
const QUIET = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-dev-shm-usage'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]
const PATIENCE_MS = 30_000

if (!CHROMIUM)
  process.stderr.write('\n*** NO CHROMIUM IS INSTALLED: the page was NOT tested in a browser. ***\n\n')

describe.skipIf(!CHROMIUM)('in a browser', () => {
  let browser: Browser
  let complaints: string[] = []

  beforeAll(async () => {
    const { chromium } = await import('playwright-core')
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: QUIET })
  })
  afterAll(() => browser.close())

  async function look(
    { page }: ServedPage,
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<Tab> {
    const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options })
    context.setDefaultTimeout(PATIENCE_MS)
    onTestFinished(() => context.close())
    complaints = []
    const tab = await context.newPage()
    tab.on('console', message => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    tab.on('pageerror', error => complaints.push(error.message))
    await tab.goto(page.link())
    return tab
  }

  const say = async (tab: Tab, text: string) => {
    await tab.getByLabel('Message').fill(text)
    await tab.getByLabel('Message').press('Enter')
  }
  const visit = (tab: Tab, name: string) => tab.getByRole('navigation').getByRole('link', { name }).click()

  test('remember, edit, dream, undo, search, tasks and schedules', async () => {
    const served = await servePage()
    const tab = await look(served)
    expect(new URL(tab.url()).search).toBe('') // the token is gone from the address bar

    await say(tab, 'Remember that I prefer tabs for indentation.')
    await tab.locator('.effect').waitFor()
    await visit(tab, 'Memory')
    await tab.getByRole('link', { name: /Prefers tabs/ }).click()

    await tab.getByRole('button', { name: 'Edit' }).click()
    await tab.getByLabel('In one line').fill('Indents with tabs, also in YAML')
    await tab.getByRole('button', { name: 'Save' }).click()
    await tab.getByText('Indents with tabs, also in YAML').first().waitFor()
    await tab.locator('.timeline summary').first().click()
    await tab.locator('.diff-in').first().waitFor()

    // A change that comes from elsewhere appears without being asked for.
    const told = {
      type: 'user',
      description: 'Uses tabs for indentation',
      body: 'Use tabs for indentation.',
    } as const
    await served.memory.save({ ...told, name: 'Tabs for indentation' })
    await served.memory.save({ ...told, name: 'Indentation with tabs' })
    await tab.getByRole('link', { name: /Indentation with tabs/ }).waitFor()

    await visit(tab, 'Dreams')
    await tab.getByRole('button', { name: 'Dream now' }).click()
    await tab.getByRole('link', { name: 'See what changed' }).click()
    await tab
      .getByRole('region', { name: /^What changed in/ })
      .first()
      .waitFor()
    await tab.getByRole('button', { name: 'Undo this dream' }).click()
    await tab.getByText(/as before/).waitFor()
    expect((await served.memory.list()).length).toBe(3)

    await visit(tab, 'Sessions')
    await tab.getByLabel('Search what was said').fill('indentation')
    await tab.getByRole('list', { name: 'Found' }).getByRole('link').first().click()
    await tab.getByRole('link', { name: 'Continue' }).click()
    await tab.getByText('Remember that I prefer tabs for indentation.').first().waitFor()

    await visit(tab, 'Tasks')
    const add = async (subject: string) => {
      await tab.getByLabel('What is to be done').fill(subject)
      await tab.getByRole('button', { name: 'Add' }).click()
      await tab.getByRole('button', { name: `Complete ${subject}` }).waitFor()
    }
    await add('Write the parser')
    await tab.getByLabel('Waits for').selectOption({ index: 1 })
    await add('Test the parser')
    await tab.getByRole('button', { name: '#2 Test the parser, blocked' }).waitFor()
    await tab.getByRole('button', { name: 'Complete Write the parser' }).click()
    await tab.getByText('1 task can begin now: #2').waitFor()

    await visit(tab, 'Schedules')
    await tab.getByLabel('What is to be done').fill('Sum up the day')
    await tab.getByRole('button', { name: 'Add' }).click()
    await tab.getByText(/Planned; it begins/).waitFor()
    await tab.locator('.calendar .event').first().waitFor()
    await tab.getByRole('button', { name: 'Cancel Sum up the day' }).click()
    await tab.getByText('Nothing is planned').waitFor()

    await say(await back(tab), '/memory')
    await tab.locator('.command pre').waitFor()
    expect(complaints).toEqual([])
  }, 120_000)

  test('a reload in mid-stream sees the reply continue, and so does another window', async () => {
    const gate = Promise.withResolvers<void>()
    await using provider = await startFakeProvider({
      text: `The first half of it. ${'And so on. '.repeat(6)}The second half of it.`,
      fault: { pauseAfter: 8, until: gate.promise },
    })
    const served = await servePage({
      config: { model: 'anthropic/fake', providers: provider.settings('anthropic') },
    })
    const tab = await look(served)
    await say(tab, 'Tell me something.')
    await tab.getByText('The first half').waitFor()
    await tab.reload()
    await tab.getByText('The first half').waitFor()
    const other = await tab.context().newPage()
    await other.goto(tab.url())
    await other.getByText('The first half').waitFor()
    gate.resolve()
    for (const each of [tab, other]) await each.getByText('The second half of it.').waitFor()
    expect(await tab.getByText('The first half').count()).toBe(1)
    expect(complaints).toEqual([])
  }, 120_000)

  test('every view is whole for a screen reader, in light and dark, and at the width of a phone', async () => {
    const served = await servePage()
    await served.memory.save({
      type: 'user',
      name: 'Likes tea',
      description: 'Drinks tea',
      body: 'Green tea.',
    })
    const tab = await look(served)
    await say(tab, 'What do you know about me?')
    await tab.getByRole('article').waitFor()
    const chat = new URL(tab.url()).pathname
    const views = [
      chat,
      '/',
      '/memory',
      '/memory/project/user_likes-tea.md',
      '/dreams',
      '/sessions',
      '/tasks',
      '/schedules',
      '/background',
      '/usage',
      '/settings',
    ]
    for (const [colorScheme, width] of [
      ['light', 1200],
      ['dark', 390],
    ] as const) {
      await tab.emulateMedia({ colorScheme })
      await tab.setViewportSize({ width, height: 800 })
      for (const path of views) {
        await tab.goto(served.page.url + path)
        await tab.getByRole('heading', { level: 1 }).first().waitFor()
        await expect.poll(() => tab.locator('.waiting').count(), { timeout: PATIENCE_MS }).toBe(0)
        const wide = await tab.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect(wide, `${path} at ${width}`).toBeLessThanOrEqual(0)
        // As a string of the browser's own, which the page's policy does not forbid.
        await tab.evaluate(axe.source)
        // What colours and widths can change is looked at once more; the rest is the same elements.
        const rules = colorScheme === 'light' ? undefined : ['color-contrast', 'scrollable-region-focusable']
        const found = await tab.evaluate(async runOnly => {
          const { axe } = globalThis as unknown as {
            axe: {
              run(
                options: object,
              ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>
            }
          }
          return (await axe.run(runOnly ? { runOnly } : {})).violations.map(
            ({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0]?.html}`,
          )
        }, rules)
        expect(
          found.filter(each => /^(serious|critical)/.test(each)),
          `${path} ${colorScheme}`,
        ).toEqual([])
      }
    }
    expect(await tab.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
      'rgb(20, 21, 27)',
    )
    expect(complaints).toEqual([])
  }, 120_000)

  test('a page that is open goes on after the server was started again', async () => {
    const first = await servePage()
    const tab = await look(first)
    await tab.getByRole('heading', { name: 'What should I remember?' }).waitFor()
    const port = Number(new URL(first.page.url).port)
    await first.page[Symbol.asyncDispose]()
    await tab.getByText('The connection to Reverie was lost').waitFor()
    const second = await servePage({ port, root: first.root })
    await tab.getByText('The connection to Reverie was lost').waitFor({ state: 'detached' })
    await visit(tab, 'Memory')
    await second.memory.save({
      type: 'user',
      name: 'Likes tea',
      description: 'Drinks tea',
      body: 'Green tea.',
    })
    await tab.getByRole('link', { name: /Likes tea/ }).waitFor()
  }, 120_000)

  async function back(tab: Tab): Promise<Tab> {
    await visit(tab, 'New chat')
    return tab
  }
})
