import { expect, test } from 'vitest'
import { Attention } from './attention.ts'
import { playQueueHistories } from './histories.fixture.ts'

const HISTORIES = 10_000

test(`in ${HISTORIES} histories: each is heard once, by whom it is for, in order; what was cancelled never is; nothing is lost`, () => {
  // Or the histories would not have shown what they are for.
  expect(playQueueHistories(HISTORIES)).toBeGreaterThan(HISTORIES / 100)
})

test('whoever listens hears of what comes for them alone, before it is taken', () => {
  const attention = new Attention<string>()
  const heard: string[] = []
  attention.listen('main', ({ content, priority, wakes }) => heard.push(`${content} ${priority} ${wakes}`))
  attention.add({ to: 'other', priority: 'now', content: 'not mine' })
  attention.add({ to: 'main', priority: 'later', content: 'news', wakes: false })
  attention.add({ to: 'main', priority: 'now', content: 'stop' })
  expect(heard).toEqual(['news later false', 'stop now true'])
  expect(attention.take('main')).toEqual(['stop', 'news'])
  expect(attention.take('other')).toEqual(['not mine'])
})
