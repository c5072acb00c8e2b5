import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { JsonlFile, readJsonl } from '../../src/store/jsonl.ts'
import { assertRule, type Scenario } from './scenario.ts'

interface Message {
  number: number
  text: string
}

const LENGTHS = [0, 100, 20_000]

async function contents(path: string): Promise<{ numbers: number[]; torn: number }> {
  const numbers: number[] = []
  let torn = 0
  if (existsSync(path))
    for await (const { value, problem } of readJsonl(path)) {
      if (problem) torn++
      else numbers.push((value as Message).number)
    }
  return { numbers, torn }
}

/** Messages appended with sync: what was acknowledged is there, in order, and a torn line harms no other. */
export const scenario: Scenario = {
  name: 'jsonl-append',

  async child(directory, acknowledge) {
    const path = join(directory, 'log.jsonl')
    const { numbers } = await contents(path)
    const file = await JsonlFile.open(path)
    for (let number = (numbers.at(-1) ?? 0) + 1; ; number += 2) {
      const text = 'é\n'.repeat(LENGTHS[number % LENGTHS.length] ?? 0)
      const pair: Message[] = [
        { number, text },
        { number: number + 1, text: '' },
      ]
      await file.append(pair, { sync: true })
      acknowledge(String(number + 1))
    }
  },

  async check(directory, acknowledged, kills) {
    const path = join(directory, 'log.jsonl')
    const { numbers, torn } = await contents(path)
    assertRule(torn <= kills, `one torn line per kill at most (${torn})`)
    // A record whose write was cut short takes its number again in the next life, so no number is missing.
    for (const [index, number] of numbers.entries())
      assertRule(number === index + 1, `number ${index + 1} is in its place (found ${number})`)
    const last = Number(acknowledged.at(-1) ?? 0)
    assertRule((numbers.at(-1) ?? 0) >= last, `message ${last} is there`)
  },
}
