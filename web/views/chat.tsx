/** The conversation: what is said, as it is said. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { apply, type Patch, type QuestionItem, type Thread } from '../../src/surfaces/web/thread.ts'
import { api, sentenceOf } from '../api.ts'
import { live } from '../live.ts'
import { Icon } from '../parts/icons.tsx'
import { Act, Problem, Waiting } from '../parts/pieces.tsx'
import { go, lastChat } from '../route.ts'
import { money, short } from '../words.ts'
import { Composer } from './composer.tsx'
import { ThreadItem } from './thread-item.tsx'
import { Welcome } from './welcome.tsx'

type Snapshot = Thread & { place: string }

/** How near to its end a thread has to be to stay there while it grows. */
const NEAR_PX = 120

export function ChatView({ session }: { session: string | undefined }) {
  const { thread, problem } = useThread(session)
  const [sending, setSending] = useState<string>()
  const [failed, setFailed] = useState<string>()
  useFollow(thread)
  useEffect(() => setSending(undefined), [session])
  useEffect(() => {
    lastChat.value = session
  }, [session])

  const say = async (text: string) => {
    setFailed(undefined)
    setSending(text)
    try {
      const to = session ?? (await api.post<Snapshot>('chat')).session
      const { session: next } = await api.post<{ session?: string }>(`chat/${to}/say`, {
        text,
        columns: columnsThere(),
      })
      const where = next ?? to
      if (where !== session) go(`/chat/${where}`, { replace: session === undefined })
      return true
    } catch (error) {
      setFailed(sentenceOf(error))
      return false
    } finally {
      setSending(undefined)
    }
  }
  /** Completion needs a conversation to complete for. */
  const open = async () => session ?? (await api.post<Snapshot>('chat')).session

  return (
    <div class="chat">
      {session === undefined && sending === undefined ? (
        <Welcome onSay={text => void say(text)} />
      ) : (
        <section class="thread" role="log" aria-label="Conversation" aria-live="off">
          {thread && <ThreadHead thread={thread} />}
          <Problem text={problem} />
          {problem !== undefined && (
            <p>
              <a href="/">Begin a new conversation</a>
            </p>
          )}
          {thread?.items.map(item => (
            <ThreadItem key={item.id} item={item} session={thread.session} />
          ))}
          {!thread && problem === undefined && <Waiting />}
          {sending !== undefined && !thread && (
            <div class="said" dir="auto">
              {sending}
            </div>
          )}
          {thread?.isWorking && <Working thread={thread} />}
          {thread?.isUnanswered && thread.items.length > 0 && (
            <p class="note">
              This was never answered.{' '}
              <Act kind="link" run={() => api.post(`chat/${thread.session}/go-on`)}>
                Answer it now
              </Act>
            </p>
          )}
        </section>
      )}
      <Spoken thread={thread} />
      <div class="foot">
        <Problem text={failed} />
        <Composer session={session} open={open} isWorking={thread?.isWorking ?? false} onSay={say} />
      </div>
    </div>
  )
}

/** How many letters of a table stand beside each other: less on a phone. */
function columnsThere(): number {
  const width = document.querySelector('.chat')?.clientWidth ?? 0
  return Math.max(LEAST_COLUMNS, Math.min(MOST_COLUMNS, Math.floor((width - BESIDE_PX) / LETTER_PX)))
}

/** Of what commands print, as base.css has it; and what stands to the left and right of it. */
const LETTER_PX = 7.8
const BESIDE_PX = 64
const LEAST_COLUMNS = 32
const MOST_COLUMNS = 80

function ThreadHead({ thread: { title, model, tokens, usd, earlier, session } }: { thread: Thread }) {
  const spent = tokens.in + tokens.out
  return (
    <header class="thread-head">
      <a class="quiet thread-new" href="/" aria-label="New chat">
        <Icon name="plus" />
      </a>
      <h1 dir="auto">{title || 'New conversation'}</h1>
      <p class="faint">
        {model}
        {spent > 0 && ` · ${short(spent)} tokens`}
        {usd !== null && usd > 0 && ` · ${money(usd)}`}
      </p>
      {earlier > 0 && (
        <p class="note">
          <a href={`/sessions/${session}`}>{earlier} earlier messages</a>
        </p>
      )}
    </header>
  )
}

function Working({ thread: { items } }: { thread: Thread }) {
  // What it says, asks or waits for is to be seen already; what a person has said since does not change that.
  const isSeen = items.some(
    item =>
      item.kind === 'question' ||
      item.kind === 'waiting' ||
      (item.kind === 'reply' && item.open && item.text !== ''),
  )
  if (isSeen) return null
  return (
    <p class="working" role="status">
      <span class="pulse" />
      <span>Thinking…</span>
    </p>
  )
}

/** For who hears the page: not every word as it comes, but when it is one's turn. */
function Spoken({ thread }: { thread: Thread | undefined }) {
  const [text, setText] = useState('')
  const wasWorking = useRef(false)
  const asked = thread?.items.findLast(item => item.kind === 'question')
  const isWorking = thread?.isWorking ?? false
  useEffect(() => {
    if (asked) setText(askedInWords(asked))
    else if (wasWorking.current && !isWorking) setText('Reverie has answered.')
    else setText('')
    wasWorking.current = isWorking
  }, [asked?.id, isWorking, thread?.session])
  return (
    <p class="hidden" role="status">
      {text}
    </p>
  )
}

function askedInWords({ ask }: QuestionItem): string {
  return ask.kind === 'permission'
    ? `Reverie asks whether ${ask.tool} is allowed.`
    : `Reverie asks: ${ask.question}`
}

/** The conversation as it stands, and from then on what becomes of it. */
function useThread(session: string | undefined) {
  const [thread, setThread] = useState<Thread>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    setThread(undefined)
    setProblem(undefined)
    if (session === undefined) {
      live.look(undefined)
      return
    }
    let isOver = false
    let early: Patch[] | undefined = []
    const load = async () => {
      early = []
      try {
        const { place, ...found } = await api.get<Snapshot>(`chat/${session}`)
        if (isOver) return
        setThread(found)
        early = undefined
        live.look(session, place)
      } catch (error) {
        if (!isOver) setProblem(sentenceOf(error))
      }
    }
    const ends = [
      live.on('chat', data => {
        const { session: about, patches } = data as { session: string; patches: Patch[] }
        // What comes before the snapshot is in it already: the stream is asked for all that follows it.
        if (about === session && early === undefined)
          setThread(thread => thread && patches.reduce(apply, thread))
      }),
      live.on('reset', () => void load()),
    ]
    void load()
    return () => {
      isOver = true
      for (const end of ends) end()
    }
  }, [session])
  return { thread: thread?.session === session ? thread : undefined, problem }
}

/** Stays at the end while it grows, unless somebody reads further up. */
function useFollow(thread: Thread | undefined) {
  const follows = useRef(true)
  const toTheEnd = () => {
    // The end of the page, not of the conversation: what one writes in lies over the last lines otherwise.
    if (follows.current) scrollTo(0, document.documentElement.scrollHeight)
  }
  useEffect(() => {
    const look = () => {
      follows.current = innerHeight + scrollY >= document.documentElement.scrollHeight - NEAR_PX
    }
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', toTheEnd)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', toTheEnd)
    }
  }, [])
  useEffect(() => {
    follows.current = true
  }, [thread?.session])
  useLayoutEffect(toTheEnd, [thread])
}
