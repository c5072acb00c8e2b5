import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { GatewayLog } from './log.ts'

test('each thing that is said is one line, and steers no terminal', () => {
  const path = join(temporaryDirectory(), 'logs', 'gateway.log')
  const lines: string[] = []
  const log = new GatewayLog(path, { write: line => lines.push(line), now: () => new Date(0) })
  log.say('schedules', 'done\n2026 forged: line\u001b[2Jcleared\u202e')
  expect(lines).toEqual(['1970-01-01T00:00:00.000Z schedules: done 2026 forged: linecleared\n'])
  expect(readFileSync(path, 'utf8')).toBe(lines[0])
})

test('the file does not grow for ever', () => {
  const path = join(temporaryDirectory(), 'gateway.log')
  const log = new GatewayLog(path, { write: () => {} })
  for (let line = 0; line < 2_500; line++) log.say('x', 'y'.repeat(2_500))
  expect(statSync(path).size + statSync(`${path}.1`).size).toBeLessThan(2.2 * 1024 * 1024)
})

test('a disk that takes nothing is told once and stops nothing', () => {
  const file = join(temporaryDirectory(), 'file')
  writeFileSync(file, '')
  const lines: string[] = []
  const log = new GatewayLog(join(file, 'gateway.log'), { write: line => lines.push(line) })
  log.say('x', 'one')
  log.say('x', 'two')
  expect(lines).toHaveLength(3)
  expect(lines.filter(line => line.startsWith('The log could not be kept'))).toHaveLength(1)
})
