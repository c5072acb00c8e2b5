import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../store/temporary-directory.fixture.ts'
import { KeptOutput } from './kept-output.ts'

test('the file ends at its limit, and so does what is shown', async () => {
  const path = join(temporaryDirectory(), 'out')
  const output = await KeptOutput.open(path, 5)
  expect(await output.add(Buffer.from('abc'))).toBe(true)
  expect(await output.add(Buffer.from('defg'))).toBe(false)
  expect(await output.add(Buffer.from('h'))).toBe(false)
  await output.close()
  expect(readFileSync(path, 'utf8')).toBe('abcde')
  expect(output.window.sides()).toEqual({ whole: 'abcde' })
  expect(statSync(path).mode & 0o777).toBe(0o600)
  await expect(KeptOutput.open(path, 5)).rejects.toThrow(/EEXIST/)
})

test('when the file cannot be written, what is shown goes on, and the reason is known', async () => {
  const path = join(temporaryDirectory(), 'out')
  const output = await KeptOutput.open(path, 100)
  await output.close() // any writing fails from here
  expect(await output.add(Buffer.from('abc'))).toBe(true)
  expect(output.problem).toBeDefined()
  expect(output.window.sides()).toEqual({ whole: 'abc' })
})
