/** What wants an agent's attention, as a value: every rule of the queue is here (5-work.md, "The queue"). */

/** `now` interrupts what is being done; `next` is what people say; `later` is news of what was done beside. */
export type Priority = 'now' | 'next' | 'later'

const PRIORITIES: readonly Priority[] = ['now', 'next', 'later']

export interface QueueItem<T> {
  readonly id: string
  /** The agent that it is for. Nobody else hears it. */
  readonly to: string
  readonly priority: Priority
  /** Whether an idle agent begins a turn because of it; otherwise it is heard with whatever comes next. */
  readonly wakes: boolean
  readonly content: T
}

interface Entry<T> {
  readonly item: QueueItem<T>
  /** Who is about to hear it. */
  readonly claim: string | undefined
}

/** In the order of arrival. What has been heard, or was cancelled, is not in it any more. */
export interface Queue<T> {
  readonly entries: readonly Entry<T>[]
}

export const EMPTY_QUEUE: Queue<never> = { entries: [] }

export function enqueue<T>({ entries }: Queue<T>, item: QueueItem<T>): Queue<T> {
  return { entries: [...entries, { item, claim: undefined }] }
}

/** What an agent would hear now: by priority, and of one priority in the order of arrival. */
export function waitingFor<T>({ entries }: Queue<T>, to: string): QueueItem<T>[] {
  return inOrder(entries.filter(({ item, claim }) => item.to === to && claim === undefined))
}

/** Sets apart all that waits for an agent. It can still be cancelled until it begins. */
export function claimAll<T>({ entries }: Queue<T>, to: string, claim: string): Queue<T> {
  return {
    entries: entries.map(entry =>
      entry.item.to === to && entry.claim === undefined ? { ...entry, claim } : entry,
    ),
  }
}

/** What was claimed is heard now, unless it was cancelled meanwhile; it leaves the queue. */
export function beginClaim<T>(
  { entries }: Queue<T>,
  claim: string,
): { queue: Queue<T>; items: QueueItem<T>[] } {
  return {
    queue: { entries: entries.filter(entry => entry.claim !== claim) },
    items: inOrder(entries.filter(entry => entry.claim === claim)),
  }
}

/** What was claimed waits again, where it stood. */
export function releaseClaim<T>({ entries }: Queue<T>, claim: string): Queue<T> {
  return {
    entries: entries.map(entry => (entry.claim === claim ? { ...entry, claim: undefined } : entry)),
  }
}

/** Takes back what has not begun, claimed or not. Undefined when there is nothing to take back. */
export function cancelItem<T>({ entries }: Queue<T>, id: string): Queue<T> | undefined {
  const left = entries.filter(({ item }) => item.id !== id)
  return left.length === entries.length ? undefined : { entries: left }
}

function inOrder<T>(entries: readonly Entry<T>[]): QueueItem<T>[] {
  return PRIORITIES.flatMap(priority =>
    entries.filter(({ item }) => item.priority === priority).map(({ item }) => item),
  )
}
