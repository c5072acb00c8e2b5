import type { Use } from './act.ts'

/**
 * A file that is open for reading can be written again by the name of its descriptor (`< FILE > /dev/stdin`): so it is
 * only ever the input, and the outputs only ever lead to each other.
 */
export function isPlainDescriptor(
  access: Use['access'],
  from: string | undefined,
  to: string | undefined,
): boolean {
  if (to !== undefined) return /^[12]$/.test(to) && /^[12]$/.test(from ?? (access === 'write' ? '1' : '0'))
  return access === 'write' || from === undefined || from === '0'
}
