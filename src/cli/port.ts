import { InvalidArgumentError } from 'commander'

/** What stands after `--port`. */
export function readPort(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number > 65_535)
    throw new InvalidArgumentError('It should be a number from 0 to 65535.')
  return number
}
