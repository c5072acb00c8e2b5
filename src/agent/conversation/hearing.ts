import { metadataAttachment } from '../../context/index.ts'
import { type ImagePart, type Message, newMessageId } from '../../session/index.ts'
import {
  Attention,
  type BackgroundTask,
  type BackgroundTasks,
  type Claim,
  type Priority,
  type QueueItem,
} from '../../work/index.ts'
import { lostNews, newsOf, notification } from '../notification.ts'

export interface HearingOptions {
  /** By which the agent is known in the queue. */
  address: string
  /** Where the person is. */
  directory(): string
  /** Called with everything that comes in. */
  arrived(item: QueueItem<Message>): void
  now(): Date
}

/** What an agent is to hear: of the person, of schedules, and of what runs beside the conversation. */
export class Hearing {
  /** The agent's and its helpers': whatever any of them is to hear comes through here. */
  readonly attention = new Attention<Message>()
  #options: HearingOptions

  constructor(options: HearingOptions) {
    this.#options = options
    this.attention.listen(options.address, options.arrived)
  }

  /** Something is said. Returns the id by which it can be taken back. */
  say(
    text: string,
    priority: Priority,
    origin: Message['origin'] = 'person',
    images: readonly ImagePart[] = [],
  ): string {
    const { address: to, directory, now } = this.#options
    const at = now()
    const parts: Message['parts'] = [{ type: 'text', text }, ...images, metadataAttachment(at, directory())]
    const content: Message = { id: newMessageId(), role: 'user', origin, at: at.toISOString(), parts }
    return this.attention.add({ to, priority, content })
  }

  /** All that waits, to be heard at once. */
  take(): Message[] {
    return this.attention.take(this.#options.address)
  }

  /** All that waits; until it begins to be heard, each of it can be taken back. */
  claim(): Claim<Message> {
    return this.attention.claim(this.#options.address)
  }

  /** All that waits, in its order. */
  get waiting(): readonly QueueItem<Message>[] {
    return this.attention.waiting(this.#options.address)
  }

  /** Something waits that begins a turn. */
  get isWanted(): boolean {
    return this.waiting.some(({ wakes }) => wakes)
  }

  /** Something waits that interrupts. */
  get isUrgent(): boolean {
    return this.waiting.some(({ priority }) => priority === 'now')
  }

  /**
   * Hears of the end of what runs beside the conversation, and of what it asks. What a helper has started is told to
   * the helper, as long as it is there to hear it.
   */
  follow(background: BackgroundTasks, isAtWork: (helper: string) => boolean): void {
    const whom = (by: string | undefined) => (by !== undefined && isAtWork(by) ? by : undefined)
    background.onEnd(end => this.#hearNews(end, newsOf(end), { to: whom(end.by) }))
    background.onQuestion(({ kind, by, ...question }) =>
      this.#hearNews({ kind, id: question.id }, question, { to: whom(by) }),
    )
  }

  /** What a helper that has ended did not hear any more: the conversation does. */
  inherit(helper: string): void {
    const unheard = this.attention.take(helper).filter(({ origin }) => origin === 'notification')
    for (const content of unheard)
      this.attention.add({ to: this.#options.address, priority: 'later', content })
  }

  /** What ran when the process that ran it died: this conversation may still count on it. */
  async hearOfLost(background: BackgroundTasks): Promise<void> {
    for (const lost of await background.recover()) this.#hearNews(lost, lostNews(lost), { wakes: false })
  }

  /** Hears of something besides that, with the next message: it is no reason to begin a turn. */
  inform(name: string, news: object): void {
    const { address: to, now } = this.#options
    this.attention.add({ to, priority: 'later', content: notification(name, news, now()), wakes: false })
  }

  /** A dream is told with the next message: it is no reason to begin one. */
  #hearNews(
    { kind, id }: Pick<BackgroundTask, 'kind' | 'id'>,
    news: object,
    {
      to = this.#options.address,
      wakes = kind !== 'dream',
    }: { to?: string | undefined; wakes?: boolean } = {},
  ): void {
    const content = notification(`${kind} ${id}`, news, this.#options.now())
    this.attention.add({ to, priority: 'later', content, wakes })
  }
}
