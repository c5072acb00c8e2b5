import { AsyncLocalStorage } from 'node:async_hooks'
import fsPromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

/** The calls that change something on the disk, or may. */
const CHANGING = ['open', 'rename', 'link', 'unlink', 'rm', 'mkdir'] as const

interface Victim {
  stepsLeft: number
  freeze: () => void
}

/** Tells the calls of a victim, also those made long after it was frozen, from everybody else's. */
const victims = new AsyncLocalStorage<Victim>()
/** What is never resolved must not be collected either, or its open files are closed with a warning. */
const frozenForEver: unknown[] = []

for (const name of CHANGING) {
  const original = fsPromises[name] as (...args: unknown[]) => unknown
  Object.assign(fsPromises, {
    [name]: (...args: unknown[]) => {
      const victim = victims.getStore()
      if (!victim || --victim.stepsLeft > 0) return original(...args)
      victim.freeze()
      return new Promise(resolve => frozenForEver.push(resolve))
    },
  })
}
syncBuiltinESMExports()

/**
 * Runs `work` and freezes it for ever at its `step`th change to the disk, as a kill there would; resolves
 * with whether it came that far. What it left on the disk can then be looked at.
 */
export function freezeAt(step: number, work: () => Promise<unknown>): Promise<'frozen' | 'finished'> {
  return new Promise((resolve, reject) => {
    const victim: Victim = { stepsLeft: step, freeze: () => resolve('frozen') }
    victims.run(victim, () => work().then(() => resolve('finished'), reject))
  })
}
