import type { Statement } from './embedded/statement.ts'

export type { Statement }

/** What a person said that is worth keeping, as the built-in mind reads it. Loaded when it is first asked for. */
export async function statementReader(): Promise<(text: string, now: Date) => Statement[]> {
  const { statementsIn } = await import('./embedded/statements.ts')
  return statementsIn
}
