import { ReverieError } from '../../store/index.ts'

export class NoSuchTask extends ReverieError {
  readonly id: number
  constructor(id: number, list: string) {
    super(`There is no task ${id} in the list "${list}". \`reverie tasks list\` shows what there is.`)
    this.id = id
  }
}

/** What a task is to be, or to be called, cannot be. Nothing was changed. */
export class BadTask extends ReverieError {}

/** The file of a task cannot be read, so nothing can be done with it. */
export class MalformedTask extends ReverieError {}

/** Of a long way the ends say enough. */
const SHOWN_OF_CIRCLE = 6

export function circleText(path: readonly number[]): string {
  if (path.length <= 2 * SHOWN_OF_CIRCLE) return path.join(' → ')
  const between = `${path.length - 2 * SHOWN_OF_CIRCLE} more`
  return [...path.slice(0, SHOWN_OF_CIRCLE), between, ...path.slice(-SHOWN_OF_CIRCLE)].join(' → ')
}

/** Tasks would wait for each other for ever. */
export class TaskCycle extends ReverieError {
  /** Each waits for the next; the last is the first again. */
  readonly path: readonly number[]
  constructor(path: readonly number[]) {
    super(`These tasks would wait for each other: ${circleText(path)}. Nothing was changed.`)
    this.path = path
  }
}

export const REFUSALS = ['already_claimed', 'already_resolved', 'blocked', 'not_found', 'busy'] as const
/** Why somebody does not get a task. `busy`: the owner has another one, and wanted one at a time. */
export type Refusal = (typeof REFUSALS)[number]

/** Somebody does not get a task, or may not say that it is done. */
export class TaskRefused extends ReverieError {
  readonly reason: Refusal
  readonly id: number
  constructor(id: number, reason: Refusal, message: string) {
    super(message)
    this.id = id
    this.reason = reason
  }
}

/** Others kept the list for longer than anybody should. */
export class TasksBusy extends ReverieError {}

/** A change of several files could not be written to its end; what it is to be is kept, and follows. */
export class HalfWritten extends ReverieError {}
