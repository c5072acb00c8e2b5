import fsPromises, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished } from 'vitest'
import type { FileEvent } from './order.ts'

/** Writes down the changes that this process makes through `node:fs/promises` until the test ends. */
export function recordFileEvents(): FileEvent[] {
  const events: FileEvent[] = []
  const { open, rename, unlink } = fsPromises
  Object.assign(fsPromises, {
    async open(path: string, ...rest: unknown[]) {
      const file = await (open as (path: string, ...rest: unknown[]) => Promise<FileHandle>)(path, ...rest)
      for (const call of ['write', 'writeFile', 'appendFile', 'sync', 'datasync'] as const)
        after(file, call, () => events.push({ call: call.endsWith('sync') ? 'sync' : 'write', path }))
      return file
    },
    async rename(from: string, to: string) {
      await rename(from, to)
      events.push({ call: 'rename', from, to })
    },
    async unlink(path: string) {
      await unlink(path)
      events.push({ call: 'unlink', path })
    },
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    Object.assign(fsPromises, { open, rename, unlink })
    syncBuiltinESMExports()
  })
  return events
}

function after(
  file: FileHandle,
  call: 'write' | 'writeFile' | 'appendFile' | 'sync' | 'datasync',
  note: () => void,
) {
  const original = file[call] as (...args: unknown[]) => Promise<unknown>
  Object.assign(file, {
    [call]: async (...args: unknown[]) => {
      const result = await original.apply(file, args)
      note()
      return result
    },
  })
}
