/** The conversation: what is said, as it is said. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { apply, type Patch, type Thread } from '../../src/surfaces/web/thread.ts'
import { api, sentenceOf } from '../api.ts'
import { live } from '../live.ts'
import { Problem, Waiting } from '../parts/pieces.tsx'
import { go } from '../route.ts'
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
  const end = useRef<HTMLDivElement>(null)
  useFollow(end, thread)
  useEffect(() => setSending(undefined), [session])

  const say = async (text: string) => {
    setFailed(undefined)
    setSending(text)
    try {
      const to = session ?? (await api.post<Snapshot>('chat')).session
      const { session: next } = await api.post<{ session?: string }>(`chat/${to}/say`, { text })
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
          {thread?.items.map(item => (
            <ThreadItem key={item.id} item={item} session={thread.session} />
          ))}
          {!thread && problem === undefined && <Waiting />}
          {sending !== undefined && !thread && <div class="said">{sending}</div>}
          {thread?.isWorking && <Working thread={thread} />}
          {thread?.isUnanswered && thread.items.length > 0 && (
            <p class="note">
              This was never answered.{' '}
              <button
                type="button"
                class="link"
                onClick={() => void api.post(`chat/${thread.session}/go-on`)}
              >
                Answer it now
              </button>
            </p>
          )}
          <div ref={end} />
        </section>
      )}
      <div class="foot">
        <Problem text={failed} />
        <Composer session={session} open={open} isWorking={thread?.isWorking ?? false} onSay={say} />
      </div>
    </div>
  )
}

function ThreadHead({ thread: { title, model, tokens, usd, earlier, session } }: { thread: Thread }) {
  const spent = tokens.in + tokens.out
  return (
    <header class="thread-head">
      <h1>{title || 'New conversation'}</h1>
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
  const last = items.at(-1)
  if (last?.kind === 'question' || (last?.kind === 'reply' && last.open && last.text !== '')) return null
  return (
    <p class="working" role="status">
      <span class="pulse" />
      <span>Thinking…</span>
    </p>
  )
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
function useFollow(end: { current: HTMLDivElement | null }, thread: Thread | undefined) {
  const follows = useRef(true)
  useEffect(() => {
    const look = () => {
      follows.current = innerHeight + scrollY >= document.documentElement.scrollHeight - NEAR_PX
    }
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [])
  useEffect(() => {
    follows.current = true
  }, [thread?.session])
  useLayoutEffect(() => {
    if (follows.current) end.current?.scrollIntoView({ block: 'end' })
  }, [thread])
}
