/** How well the size of a request is known before it is sent. */
import { expect, test } from 'vitest'
import { DEFAULTS } from '../config/index.ts'
import { estimateText, UNCALIBRATED } from '../context/index.ts'
import { openModel } from '../models/index.ts'
import { type Message, type Part, textOf } from '../session/index.ts'
import { replied, returned, said } from '../session/session.fixture.ts'
import { beginAnswer } from './loop.ts'
import { Room } from './room.ts'

/** Not our estimate: so many letters of each kind are a token, as other vendors cut them. */
const TOKENISERS: Record<string, (text: string) => number> = {
  'a tokeniser that goes by length': text => text.length / 3.3,
  'one of short pieces': text =>
    (text.match(/ ?\p{Script=Han}| ?[a-z]{1,4}| ?[A-Z]+[a-z]{0,3}|\d|[^\s\p{L}\d]|\s+/gu) ?? []).length,
  'one of long pieces': text =>
    (text.match(/\p{Script=Han}{1,2}| ?\p{L}{1,12}|\d{1,3}|[^\s\p{L}\d]{1,4}|\s{1,8}/gu) ?? []).length,
}

const PROSE =
  'The gateway answers on the port that the owner chose, and whoever asks for another one is told which it is. '
const CODE =
  'export function total(items: readonly Item[]): number {\n  return items.reduce((sum, { price }) => sum + price, 0)\n}\n'
const TABLE = '| 2026-04-08 | 12:30 | 1,204.50 | paid |\n'
const CHINESE = '今天我们把网关部署到新的服务器上，明天再看看日志。'

/** Everything that is always sent. */
const FIXED = (PROSE + CODE).repeat(60)

const turns: Message[][] = Array.from({ length: 30 }, (_, at) => {
  const kind = [PROSE, CODE, TABLE, CHINESE][at % 4] ?? PROSE
  return [
    replied('I look.', [[`c${at}`, 'read_file']]),
    returned(`c${at}`, 'read_file', kind.repeat(5)),
    replied(PROSE),
    said(`And part ${at}? ${kind}`),
  ]
})

test.each(Object.entries(TOKENISERS))(
  '%s: after the first reply the next request is known within 5 %%',
  async (_, count) => {
    const room = new Room({
      fixedTokens: () => estimateText(FIXED),
      files: () => [],
      skill: () => undefined,
      summarise: async () => undefined,
      add: async () => said(''),
      tell: said,
      keepWhole: async () => '',
      cleared() {},
      // Learnt in another conversation, of another kind.
      calibration: { ...UNCALIBRATED, factors: { embedded: 1.9 } },
      emit() {},
    })
    const model = await openModel('embedded', DEFAULTS, {})
    const all = (messages: readonly Message[]) =>
      count(FIXED) +
      messages.reduce(
        (sum, { parts }) => sum + 4 + parts.reduce((of, part) => of + count(textIn(part)), 0),
        0,
      )
    let messages: Message[] = [said('How is part 0?')]
    const off: number[] = []
    for (const turn of turns) {
      const state = beginAnswer(model, messages, undefined, 'person-spoke')
      await room.prepare(state)
      const reported = Math.round(all(messages))
      off.push(Math.abs(room.estimate(state) - reported) / reported)
      room.measured({ input: reported, output: 1, cacheRead: 0, cacheWrite: 0 })
      messages = [...messages, ...turn]
    }
    expect(off[0]).toBeGreaterThan(0.05)
    for (const share of off.slice(1)) expect(share).toBeLessThan(0.05)
  },
)

function textIn(part: Part): string {
  if (part.type === 'tool-call') return JSON.stringify(part.input)
  return part.type === 'tool-result' ? textOf({ parts: [...part.content] }) : 'text' in part ? part.text : ''
}
