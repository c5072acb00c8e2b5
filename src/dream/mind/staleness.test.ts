import { expect, it } from 'vitest'
import type { DreamMemory } from '../dreamer.ts'
import { stalenessOf } from './staleness.ts'

const NOW = new Date('2026-11-18T09:00:00Z')

function stalenessIn(body: string, more: Partial<DreamMemory> = {}) {
  const memory: DreamMemory = {
    file: 'a.md',
    text: '',
    name: body,
    description: body,
    type: 'project',
    body,
    pinned: false,
    confirmed: new Date('2026-05-01'),
    origin: 'owner',
    ...more,
  }
  return stalenessOf(memory, NOW)
}

it.each([
  'Code freeze until 2026-05-02.',
  'Dentist appointment on 2026-05-02.',
  'The report is due by 2026-05-02.',
  '小王休假到 2026-05-02 为止。',
  'TODO: rename the bucket. This is done.',
  '待办：发送报价，已完成。',
  'Reminder: book flights for the offsite. Already booked.',
  'Action item: deploy the hotfix. Completed 2026-05-02.',
])('is over, and nothing is left of it: %s', body => {
  expect(stalenessIn(body)).toMatchObject({ isOver: true })
})

it.each([
  'The outage on 2026-05-02 was caused by an expired TLS certificate.',
  'Outage of 2026-05-02: the connection pool was exhausted by the nightly export.',
  'In the demo on 2026-05-02 Acme asked for SSO and audit logs.',
  'Lin took a trip to Kyoto on 2026-05-02 with her sister Mei.',
  'The launch on 2026-05-02 brought 1,200 sign-ups.',
  'The passport expires on 2026-05-02.',
  'Flight to Rome on 2026-05-02, confirmation XK4P2Q.',
  '2026-05-02 的会议上王总同意了预算 50 万。',
  '用户 2026-05-02 到 2026-05-12 期间住院，做了膝盖手术。',
  'Task: rename the bucket. Done. The new bucket is s3://archive.',
])('has had its time, and tells more; that is for the owner: %s', body => {
  expect(stalenessIn(body)?.isOver).not.toBe(true)
})

it.each([
  'TODO:\n- [x] set up CI\n- [ ] write the guide',
  'Reminder: call the bank when the renovation is done.',
  '待办：合同签完之后发送报价，未完成。',
])('is not done: %s', body => {
  expect(stalenessIn(body)?.isOver).not.toBe(true)
})

it('where something is found stays, and so does what only the description tells', () => {
  expect(stalenessIn('Notes of the visit of 2026-05-02.', { type: 'reference' })?.isOver).toBe(false)
  const description = 'Flight to Rome on 2026-05-02, paid by Acme with the corporate card of Ines'
  expect(stalenessIn('Flight to Rome on 2026-05-02.', { description })?.isOver).toBe(false)
})
