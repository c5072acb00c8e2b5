/** Every view of the page in a real browser, full of what somebody could have in it. */
import axe from 'axe-core'
import type { Page as Tab } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { seedHome } from '../../../scripts/seeded-home.ts'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { hasBrowser, PATIENCE_MS, say, useBrowser } from './browser.fixture.ts'
import { servePage } from './web.fixture.ts'

interface Viewed {
  path: string
  sign: string
  open?: string
}

/** Each with what shows that it is there, and what is opened in it. */
const VIEWS: readonly Viewed[] = [
  { path: '/', sign: '.connect' },
  { path: '/memory', sign: '.chart path' },
  { path: '/memory/project/user_works-from-lisbon.md', sign: '.timeline summary', open: '.timeline summary' },
  { path: '/memory/new', sign: '.form' },
  { path: '/dreams', sign: '.nights a', open: '.diary summary' },
  { path: '/dreams', sign: '.nights a', open: '.nights a' },
  { path: '/sessions', sign: '.cards a' },
  { path: '/sessions', sign: '.cards a', open: '.cards a' },
  { path: '/tasks', sign: '.node', open: '.node' },
  { path: '/schedules', sign: '.calendar .event' },
  { path: '/background', sign: '.row', open: '.row button' },
  { path: '/usage', sign: '.chart rect' },
  { path: '/settings', sign: '.settings select' },
]

describe.skipIf(!hasBrowser)('in a browser', () => {
  const look = useBrowser()

  test('every view is whole for a screen reader and the keyboard, in light and dark, and on a phone', async () => {
    const root = temporaryDirectory()
    await seedHome(root)
    const served = await servePage({ root, name: 'harbour' })
    const tab = await look(served)
    await say(tab, 'What do you know about our releases?')
    await tab.getByRole('article').waitFor()
    await say(tab, '/help')
    await tab.locator('.command pre').waitFor()
    const chat: Viewed = { path: new URL(tab.url()).pathname, sign: '.command pre' }

    await tab.goto(`${served.page.url}/tasks`)
    await tab.locator('.node').first().waitFor()
    await tab.keyboard.press('Tab')
    expect(await focused(tab)).toBe('Skip to the content')
    await tab.keyboard.press('Enter')
    await tab.keyboard.press('Tab')
    expect(await focused(tab)).toBe('What is to be done')
    await tab.locator('.node').first().press('Enter')
    await tab.getByRole('region', { name: /^Task / }).waitFor()

    // As a string of the browser's own, which the page's policy does not forbid; views change without a reload.
    await tab.evaluate(axe.source)
    for (const [colorScheme, width] of [
      ['light', 1200],
      ['dark', 390],
    ] as const) {
      await tab.emulateMedia({ colorScheme })
      await tab.setViewportSize({ width, height: 800 })
      for (const { path, sign, open } of [chat, ...VIEWS]) {
        const where = `${path} ${open ?? ''} ${colorScheme} ${width}`
        await goTo(tab, path)
        await tab.locator(`main ${sign}`).first().waitFor()
        if (open !== undefined) await tab.locator(`main ${open}`).first().click()
        await expect.poll(() => tab.locator('main .waiting').count(), { timeout: PATIENCE_MS }).toBe(0)
        expect(
          await tab.evaluate('document.documentElement.scrollWidth - innerWidth'),
          where,
        ).toBeLessThanOrEqual(0)
        // What colours and widths can change is looked at once more; the rest is the same elements.
        const rules = colorScheme === 'light' ? undefined : ['color-contrast', 'scrollable-region-focusable']
        expect(await violations(tab, rules), where).toEqual([])
      }
    }
    expect(await tab.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
      'rgb(20, 21, 27)',
    )
  })
})

/** Without a reload, as the page's own links do. */
async function goTo(tab: Tab, path: string): Promise<void> {
  for (const to of ['/nowhere', path])
    await tab.evaluate(`history.pushState(null, '', '${to}'); dispatchEvent(new PopStateEvent('popstate'))`)
}

function focused(tab: Tab): Promise<unknown> {
  return tab.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent')
}

interface Axe {
  run(options: object): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>
}

/** The serious ones, in words. */
function violations(tab: Tab, rules: readonly string[] | undefined): Promise<string[]> {
  return tab.evaluate(async runOnly => {
    const { axe } = globalThis as unknown as { axe: Axe }
    const found = await axe.run({ resultTypes: ['violations'], ...(runOnly && { runOnly }) })
    return found.violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0]?.html}`)
  }, rules)
}
