/** What a kill scenario has to say; one file per scenario beside this one, exporting `scenario`. */
export interface Scenario {
  name: string
  /** The kill comes within this time after the first acknowledgement; for work that takes longer than usual. */
  longestLifeMs?: number
  /**
   * Works in `directory` until it is killed, going on from what an earlier life left there. Calls
   * `acknowledge` only after the call that it tells of has returned.
   */
  child(directory: string, acknowledge: (record: string) => void): Promise<void>
  /** Throws if a rule was broken. `acknowledged`: all records since the directory was new, in order. */
  check(directory: string, acknowledged: readonly string[], kills: number): Promise<void>
}

export function assertRule(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new Error(`broken rule: ${rule}`)
}

export async function loadScenario(name: string): Promise<Scenario> {
  const { scenario } = (await import(`./${name}.scenario.ts`)) as { scenario: Scenario }
  return scenario
}
