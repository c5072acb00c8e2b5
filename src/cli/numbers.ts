import { InvalidArgumentError } from 'commander'

/** Reads an option that counts something. */
export function positive(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError('It should be a whole number from 1 on.')
  return number
}
