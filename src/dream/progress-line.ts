import type { DreamProgress } from './dreamer.ts'

/** How far a dream is, what it would change and what it has cost, in a few words. */
export function progressLine({ phase = 'orient', rounds = 0, files = 0, usage }: DreamProgress): string {
  const spent = usage && usage.input + usage.output > 0 ? usage : undefined
  return [
    phase,
    ...(rounds > 0 ? [`asked ${times(rounds, 'time')}`] : []),
    ...(files > 0 ? [`${times(files, 'file')} touched`] : []),
    ...(spent ? [`${spent.input} tokens in and ${spent.output} out`] : []),
    ...(spent?.usd === undefined ? [] : [`$${spent.usd.toFixed(4)}`]),
  ].join(', ')
}

function times(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
