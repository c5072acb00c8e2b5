/** Everything that was ever said: found, read, and gone on with. */
import { useState } from 'preact/hooks'
import type { Item } from '../../src/surfaces/web/thread.ts'
import { api } from '../api.ts'
import { useData } from '../data.ts'
import { Icon } from '../parts/icons.tsx'
import { Act, Empty, Problem, Search, View, Waiting } from '../parts/pieces.tsx'
import { attempt, say } from '../parts/toast.tsx'
import { go } from '../route.ts'
import type { SessionHead, SessionHit } from '../types.ts'
import { ago, many, moment, money, short } from '../words.ts'
import { ThreadItem } from './thread-item.tsx'

export function SessionsView({ id }: { id: string | undefined }) {
  const [query, setQuery] = useState('')
  const [everywhere, setEverywhere] = useState(false)
  const isSearching = query.trim() !== ''
  const { value: all, problem } = useData<SessionHead[]>('sessions', ['sessions'])
  const search = new URLSearchParams({ q: query, everywhere: String(everywhere) })
  const { value: found, problem: searchProblem } = useData<{ hits: SessionHit[]; problem: string | null }>(
    isSearching ? `sessions/search?${search}` : undefined,
  )
  return (
    <View
      title="Sessions"
      about={
        all && (all.length === 0 ? 'Nothing yet.' : `${many(all.length, 'conversation')} in this project.`)
      }
    >
      <Problem text={problem ?? searchProblem ?? found?.problem ?? undefined} />
      <div class={id === undefined ? 'split' : 'split is-open'}>
        <div class="split-list">
          <div class="filters">
            <Search label="Search what was said" value={query} onInput={setQuery} />
            <label class="check">
              <input
                type="checkbox"
                checked={everywhere}
                onChange={event => setEverywhere(event.currentTarget.checked)}
              />
              In all projects
            </label>
          </div>
          {!all && !problem && <Waiting />}
          {all?.length === 0 && !isSearching && (
            <Empty title="Nothing was said yet">
              <a href="/">Begin a conversation</a>; it is kept here, and can be taken up again.
            </Empty>
          )}
          {isSearching ? <Hits hits={found?.hits} /> : <List all={all ?? []} id={id} />}
        </div>
        {id !== undefined && <Session key={id} id={id} />}
      </div>
    </View>
  )
}

function Hits({ hits }: { hits: SessionHit[] | undefined }) {
  if (!hits) return <Waiting />
  if (hits.length === 0) return <Empty title="Nobody said that" />
  return (
    <ul class="cards" aria-label="Found">
      {hits.map(({ session, title, at, role, snippet, isHere }, index) => (
        <li key={index}>
          <a class="row" href={isHere ? `/sessions/${session}` : undefined}>
            <span class="row-about" dir="auto">
              {snippet}
            </span>
            <span class="row-foot">
              <span class="faint">
                {role === 'user' ? 'You' : role === 'tool' ? 'A tool' : 'Reverie'} · {title || 'Untitled'} ·{' '}
                {ago(at)}
                {!isHere && ' · another project'}
              </span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

function List({ all, id }: { all: SessionHead[]; id: string | undefined }) {
  return (
    <ul class="cards">
      {all.map(({ id: each, title, lastAt, tokens, usd, source, problem, working }) => (
        <li key={each}>
          <a class="row" href={`/sessions/${each}`} aria-current={each === id ? 'page' : undefined}>
            <span class="row-title" dir="auto">
              {working && <span class="pulse" />}
              {title || 'Untitled'}
            </span>
            <span class="row-foot">
              <span class="faint" title={moment(lastAt)}>
                {ago(lastAt)}
                {tokens.in + tokens.out > 0 && ` · ${short(tokens.in + tokens.out)} tokens`}
                {usd !== undefined && usd > 0 && ` · ${money(usd)}`}
              </span>
              {source !== undefined && <span class="tag">{source}</span>}
              {problem !== undefined && <span class="tag is-problem">{problem}</span>}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

interface Read extends SessionHead {
  items: Item[]
  next: number | null
}

function Session({ id }: { id: string }) {
  const { value: session, problem, refresh } = useData<Read>(`sessions/${id}`, ['sessions'])
  const [more, setMore] = useState<{ items: Item[]; next: number | null }>()
  const [title, setTitle] = useState<string>()
  const next = more ? more.next : session?.next
  const readOn = async () => {
    const page = await api.get<Read>(`sessions/${id}?from=${next}`)
    setMore({ items: [...(more?.items ?? []), ...page.items], next: page.next })
  }
  const rename = async () => {
    await api.patch(`sessions/${id}`, { title })
    setTitle(undefined)
    await refresh()
  }
  return (
    <section class="detail" aria-label="Session">
      <a class="back" href="/sessions">
        <Icon name="back" /> All sessions
      </a>
      <Problem text={problem} />
      {!session && !problem && <Waiting />}
      {session && (
        <>
          <header class="detail-head">
            {title === undefined ? (
              <h2 dir="auto">{session.title || 'Untitled'}</h2>
            ) : (
              <form
                class="inline"
                onSubmit={event => {
                  event.preventDefault()
                  void attempt(rename)
                }}
              >
                <input
                  value={title}
                  aria-label="Title"
                  onInput={event => setTitle(event.currentTarget.value)}
                />
                <button type="submit" class="solid">
                  Save
                </button>
              </form>
            )}
            <p class="faint">
              {moment(session.startedAt)}
              {session.model !== undefined && ` · ${session.model}`}
            </p>
            <div class="actions">
              <a class="solid" href={`/chat/${id}`}>
                <Icon name="chat" /> Continue
              </a>
              <button
                type="button"
                class="quiet"
                onClick={() => setTitle(title === undefined ? session.title : undefined)}
              >
                Rename
              </button>
              <Act
                kind="quiet is-danger"
                run={async () => {
                  await api.delete(`sessions/${id}`)
                  go('/sessions')
                  say(
                    'Moved to the trash, where it stays for 30 days: `reverie sessions restore` brings it back.',
                  )
                }}
              >
                Delete
              </Act>
            </div>
          </header>
          <div class="thread is-read">
            {[...session.items, ...(more?.items ?? [])].map((item, at) => (
              <ThreadItem key={`${item.id}-${at}`} item={item} />
            ))}
            {next !== null && next !== undefined && <Act run={readOn}>Read on</Act>}
          </div>
        </>
      )}
    </section>
  )
}
