import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Home, homeAt } from '../../config/index.ts'

/** What other agents' settings depend on. */
export interface Machine {
  /** The directory of the person, not of Reverie. */
  home: string
  env: NodeJS.ProcessEnv
  platform: NodeJS.Platform
  /** The words that start Reverie from any directory. */
  program: readonly string[]
  /** Words that go after the command, where the home is not the usual one. */
  flags: readonly string[]
}

/** The directory of the package, in a checkout and where it is installed. */
const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url))

export function thisMachine(home: Home, env: NodeJS.ProcessEnv): Machine {
  const { platform } = process
  return {
    home: homedir(),
    env,
    platform,
    // The launcher finds a Node by itself, also after an update of it. Windows has no sh to run it.
    program:
      platform === 'win32'
        ? [process.execPath, join(PACKAGE, 'bin', 'entry.cjs')]
        : [join(PACKAGE, 'bin', 'reverie')],
    flags: home.path === homeAt('~/.reverie').path ? [] : ['--home', home.path],
  }
}
