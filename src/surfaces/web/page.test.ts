/** The page in a real browser: what a person does with it, from the first word to the last undo. */
import { describe, expect, test } from 'vitest'
import { DEFAULTS } from '../../config/index.ts'
import { startFakeProvider } from '../../models/wire.fixture.ts'
import { hasBrowser, PATIENCE_MS, say, useBrowser, visit } from './browser.fixture.ts'
import { servePage } from './web.fixture.ts'

const reasoned = (name: string, input: object) => ({ name, input: { reason: 'it is said twice', ...input } })

describe.skipIf(!hasBrowser)('in a browser', () => {
  const look = useBrowser()

  test('remember, edit, dream, undo, search, tasks and schedules', async () => {
    // A dream takes as long as its model does: it is looked at while it goes on.
    const thinking = Promise.withResolvers<void>()
    const [kept, gone] = ['user_tabs-for-indentation.md', 'user_indentation-with-tabs.md']
    await using provider = await startFakeProvider(
      {
        text: JSON.stringify({ target: 'MEMORY', kind: 'duplicate', files: [kept, gone], what: 'join them' }),
      },
      {
        calls: [
          reasoned('read', { file: kept }),
          reasoned('read', { file: gone }),
          reasoned('remove', { file: gone, wentTo: kept }),
        ],
        fault: { pauseAfter: 1, until: thinking.promise },
      },
      { text: 'Joined.' },
    )
    const served = await servePage({
      config: {
        model: 'embedded',
        dream: { ...DEFAULTS.dream, model: 'anthropic/fake' },
        providers: provider.settings('anthropic'),
      },
    })
    const tab = await look(served)
    expect(new URL(tab.url()).search).toBe('') // the token is gone from the address bar
    await tab.getByText('No language model is connected yet').waitFor()

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
    const progress = tab.getByLabel('The dream that goes on now')
    const now = progress.locator('[aria-current=step]', { hasText: 'Consolidates' })
    await now.waitFor()
    expect(await progress.locator('.is-done').count()).toBe(2)
    await tab.reload()
    await now.waitFor()
    thinking.resolve()
    await progress.waitFor({ state: 'detached' })
    await tab.locator('ol.nights a').click()
    const change = tab.getByRole('region', { name: `What changed in ${gone}` })
    await change.locator('.diff-out', { hasText: 'Use tabs for indentation.' }).waitFor()
    expect((await served.memory.list()).length).toBe(2)
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
    await tab.getByRole('button', { name: '#2 Test the parser, pending' }).waitFor()
    expect(await tab.getByRole('button', { name: 'Reopen Write the parser' }).count()).toBe(1)

    await visit(tab, 'Schedules')
    await tab.getByLabel('What is to be done').fill('Sum up the day')
    await tab.getByRole('button', { name: 'Add' }).click()
    await tab.getByText(/Planned; it begins/).waitFor()
    await tab.getByText('each weekday at 09:00').waitFor()
    await tab.locator('.calendar .event').first().waitFor()
    await tab.getByRole('button', { name: 'Cancel Sum up the day' }).click()
    await tab.getByText('Nothing is planned').waitFor()

    // Back to the conversation that one came from, where commands are completed and answered.
    await visit(tab, 'Chat')
    await tab.getByText('Remember that I prefer tabs for indentation.').first().waitFor()
    await tab.getByLabel('Message').fill('/mem')
    await tab.getByRole('option', { name: /^\/memory/ }).waitFor()
    await tab.getByLabel('Message').press('Enter')
    await tab.getByLabel('Message').press('Enter')
    await tab.locator('.command pre', { hasText: 'Indents with tabs' }).waitFor()
  })

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
  })

  test('what is asked is seen in full, on a phone too, and answered in place', async () => {
    const call = { calls: [{ name: 'bash', input: { command: 'touch made', description: 'makes a file' } }] }
    await using provider = await startFakeProvider(
      { text: 'A long story. '.repeat(120), ...call },
      { text: 'It is made.' },
      call,
      { text: 'Another way, then.' },
    )
    const served = await servePage({
      config: { model: 'anthropic/fake', providers: provider.settings('anthropic') },
    })
    const tab = await look(served)
    await say(tab, 'Make the file.')
    const question = tab.getByRole('group', { name: 'Permission' })
    await question.getByText('touch made', { exact: true }).waitFor()
    await tab.getByRole('status').getByText('Reverie asks whether bash is allowed.').waitFor()
    for (const width of [1200, 390]) {
      await tab.setViewportSize({ width, height: 800 })
      // Nothing of it lies under what one writes in.
      await expect
        .poll(async () => {
          const [asked, composer] = [
            await question.boundingBox(),
            await tab.locator('.composer').boundingBox(),
          ]
          return asked && composer && asked.y + asked.height <= composer.y
        })
        .toBe(true)
    }
    await question.getByRole('button', { name: 'Allow once' }).click()
    await tab.getByText('It is made.').waitFor()
    await question.waitFor({ state: 'detached' })
    await say(tab, 'Once more.')
    await question.getByLabel('Why not, or what to do instead').fill('use another way')
    await question.getByLabel('Why not, or what to do instead').press('Enter')
    await tab.getByText('Another way, then.').waitFor()
    expect(JSON.stringify(provider.requests.at(-1)?.body)).toContain('use another way')
  })

  test('what others do to a memory while it is edited is told, and what was written is not lost', async () => {
    const served = await servePage()
    const { memory } = served
    const draft = { type: 'user', description: 'Drinks green tea', body: 'Green tea.' } as const
    const { file } = await memory.save({ ...draft, name: 'Likes tea' })
    await memory.save({ ...draft, name: 'Nested', body: `${'>'.repeat(3_000)} deep` })
    const tab = await look(served, { mayComplain: true }) // of what is not there any more
    await tab.goto(`${served.page.url}/memory/project/${file}`)
    const body = tab.getByLabel('All of it (Markdown)')
    const kept = async () => (await memory.get(file)).body.trim()

    await tab.getByRole('button', { name: 'Edit' }).click()
    await body.fill('Begun.')
    await tab.getByRole('link', { name: /Nested/ }).click()
    await tab.getByRole('link', { name: /Likes tea/ }).click()
    expect(await body.inputValue()).toBe('Begun.')
    await tab.getByRole('button', { name: 'Cancel' }).click()

    await tab.getByRole('button', { name: 'Edit' }).press('Enter')
    await expect
      .poll(() => tab.evaluate('document.activeElement.value'), { timeout: PATIENCE_MS })
      .toBe('Likes tea')
    await body.fill('Black tea.')
    await memory.edit(file, { body: 'No tea.' })
    await tab.getByText('It was changed elsewhere meanwhile').waitFor()
    await tab.getByRole('button', { name: 'Save' }).click()
    await tab.getByText('was changed meanwhile; look at it again').waitFor()
    expect(await kept()).toBe('No tea.')
    await tab.getByRole('button', { name: 'Keep what I wrote' }).click()
    await tab.getByRole('button', { name: 'Save' }).click()
    await body.waitFor({ state: 'detached' })
    expect(await kept()).toBe('Black tea.')
    await expect
      .poll(() => tab.evaluate('document.activeElement.textContent'), { timeout: PATIENCE_MS })
      .toBe('Edit')

    await tab.getByRole('button', { name: 'Edit' }).click()
    await body.fill('Any tea.')
    await memory.forget(file)
    await tab.getByText('It was forgotten or renamed meanwhile').waitFor()
    await tab.getByRole('button', { name: 'Save as a new memory' }).click()
    await expect.poll(kept, { timeout: PATIENCE_MS }).toBe('Any tea.')
    await tab.getByRole('button', { name: 'Pin', exact: true }).press('Enter')
    await tab.getByRole('button', { name: 'Unpin', exact: true }).waitFor()
    expect(await tab.evaluate('document.activeElement.textContent.trim()')).toBe('Unpin')
    await memory.forget(file)
    await tab.getByText('There is no memory of this name').waitFor()
    expect(await tab.getByRole('button', { name: 'Edit' }).count()).toBe(0)

    // What nobody writes is text, and what nobody means is no address; what was begun waits.
    await tab.getByRole('link', { name: /Nested/ }).click()
    await tab.locator('.prose', { hasText: '>>>> deep' }).waitFor()
    await visit(tab, 'Chat')
    await tab.getByLabel('Message').fill('I was about to say')
    await visit(tab, 'Memory')
    await visit(tab, 'Chat')
    expect(await tab.getByLabel('Message').inputValue()).toBe('I was about to say')
    for (const address of ['/memory/user/%zz.md', '/chat/..%2f..']) {
      await tab.goto(served.page.url + address)
      await tab
        .getByText(/There is (no|nothing)/)
        .first()
        .waitFor()
    }
  })

  test('a page that is open goes on after the server was started again', async () => {
    const first = await servePage()
    const tab = await look(first, { mayComplain: true })
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
  })
})
