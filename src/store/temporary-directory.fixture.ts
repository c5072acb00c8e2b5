import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A fresh directory that goes when the test ends, or whatever else `atEnd` waits for. */
export function temporaryDirectory(atEnd: (work: () => void) => void = onTestFinished): string {
  const path = mkdtempSync(join(tmpdir(), 'reverie-test-'))
  atEnd(() => rmSync(path, { recursive: true, force: true }))
  return path
}
