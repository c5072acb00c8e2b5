import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const MODULE = new URL('./standard-input.ts', import.meta.url).href
/** Anything may have looked at the stream before: from then on whoever reads its descriptor does not wait. */
const PROGRAM = `
  process.stdin.isTTY
  const { orStandardInput } = await import(${JSON.stringify(MODULE)})
  process.stdout.write('ready\\n')
  process.stdout.write(await orStandardInput('-') + await orStandardInput(' as it is'))
`

test('whoever writes slowly into the pipe is waited for', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM])
  const complaints = text(child.stderr)
  const [ready] = await once(child.stdout, 'data')
  expect(String(ready)).toBe('ready\n')
  child.stdin.end('slow – 慢')
  expect(await text(child.stdout)).toBe('slow – 慢 as it is')
  expect(await complaints).toBe('')
})
