/** The figures that commands run by. Tests give small ones; all times are in milliseconds. */
export interface ShellLimits {
  /** How long a command in front may take when the call does not say. */
  timeoutMs: number
  /** When a command that may is moved to the background. */
  backgroundAfterMs: number
  /** How long output must have stopped before its last line is read as a question. */
  quietMs: number
  /** Between SIGTERM and SIGKILL. */
  graceMs: number
  /** How long output is still waited for when the shell has ended, as with `command > >(tee log)`. */
  lingerMs: number
  /** Between two reports of progress. */
  progressEveryMs: number
  /** What is kept of the output of one command. One that prints more is ended: nobody reads that much. */
  fileBytes: number
}

/** From 4-agent.md ("Tools and permissions"), where it names them. */
export const SHELL_LIMITS: ShellLimits = {
  timeoutMs: 120_000,
  backgroundAfterMs: 15_000,
  quietMs: 5_000,
  graceMs: 2_000,
  lingerMs: 1_000,
  progressEveryMs: 250,
  fileBytes: 100 * 1024 * 1024,
}

/** The longest that a call may ask for (4-agent.md). */
export const MOST_TIMEOUT_MS = 600_000

/** Characters of a result that the model is given (4-agent.md). */
export const SHOWN_CHARACTERS = 30_000
