import { expect, test } from 'vitest'
import { startFakeProvider } from '../src/models/wire.fixture.ts'
import { servePage } from '../src/surfaces/web/web.fixture.ts'
import { holdChats } from './load/chats.ts'
import { echo } from './load/echo.ts'

test('many talk at the same time, and each is answered, once and with what they asked', async () => {
  await using provider = await startFakeProvider()
  provider.always(echo)
  const { page } = await servePage({
    config: { model: 'anthropic/fake', providers: provider.settings('anthropic') },
  })
  const options = { chats: 12, conversationsEach: 1, questionsEach: 2, thinkMs: 20, patienceMs: 60_000 }
  const { answered, dropped } = await holdChats({ link: page.link(), ...options })
  expect(dropped).toEqual([])
  expect(answered).toBe(24)
})
