import { ReverieError } from '../store/index.ts'

class MissingVariable extends ReverieError {}

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/** Text with `${NAME}` and `${NAME:-OTHERWISE}` filled in from the environment. `what` says where it stands. */
export function filledIn(text: string, env: NodeJS.ProcessEnv, what: string): string {
  return text.replaceAll(REFERENCE, (whole, name: string, otherwise: string | undefined) => {
    const value = env[name] || otherwise
    if (value === undefined)
      throw new MissingVariable(
        `${what} needs ${whole}, and the environment has no ${name}. Set it, and begin again.`,
      )
    return value
  })
}

/** The variables that a text refers to. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(REFERENCE)].map(([, name = '']) => name)
}
