/** The frame around every view: where one can go, and whether the server is there. */
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks'
import { isLockedOut, sentenceOf } from './api.ts'
import { type Data, useData } from './data.ts'
import { isConnected } from './live.ts'
import { Icon, Mark } from './parts/icons.tsx'
import { Problem } from './parts/pieces.tsx'
import { Toasts } from './parts/toast.tsx'
import { lastChat, partsOf, path } from './route.ts'
import type { BackgroundTask, SessionHead, Settings } from './types.ts'
import { BackgroundView } from './views/background.tsx'
import { ChatView } from './views/chat.tsx'
import { DreamsView } from './views/dreams.tsx'
import { MemoryView } from './views/memory.tsx'
import { SchedulesView } from './views/schedules.tsx'
import { SessionsView } from './views/sessions.tsx'
import { SettingsView } from './views/settings.tsx'
import { TasksView } from './views/tasks.tsx'
import { UsageView } from './views/usage.tsx'
import { ago } from './words.ts'

const VIEWS = [
  { name: 'chat', title: 'Chat', to: '/' },
  { name: 'memory', title: 'Memory', to: '/memory' },
  { name: 'dreams', title: 'Dreams', to: '/dreams' },
  { name: 'sessions', title: 'Sessions', to: '/sessions' },
  { name: 'tasks', title: 'Tasks', to: '/tasks' },
  { name: 'schedules', title: 'Schedules', to: '/schedules' },
  { name: 'background', title: 'Background', to: '/background' },
  { name: 'usage', title: 'Usage', to: '/usage' },
  { name: 'settings', title: 'Settings', to: '/settings' },
] as const

/** On a phone: these, and the others behind "More". */
const IN_BAR = 4
const RECENT = 7

export function App() {
  const [view = 'chat', ...rest] = partsOf(path.value)
  const [isMore, setMore] = useState(false)
  const hasBegun = useRef(false)
  useEffect(() => {
    setMore(false)
    const title = VIEWS.find(({ name }) => name === view)?.title
    document.title = title === undefined || view === 'chat' ? 'Reverie' : `${title} · Reverie`
    if (!hasBegun.current) {
      hasBegun.current = true
      return
    }
    // What had the focus is not there any more: the keyboard goes on in what took its place.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body)
        document.getElementById('main')?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [path.value])
  if (isLockedOut.value) return <LockedOut />
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <nav class={isMore ? 'side is-open' : 'side'} aria-label="Views">
        <a class="brand" href="/">
          <Mark />
          <span>Reverie</span>
        </a>
        <a class="new" href="/" aria-label="New chat">
          <Icon name="plus" />
          <span>New chat</span>
        </a>
        <ul class="views">
          {VIEWS.map(({ name, title, to }, at) => (
            <li key={name} class={at >= IN_BAR ? 'is-more' : ''}>
              <a
                href={name === 'chat' && lastChat.value !== undefined ? `/chat/${lastChat.value}` : to}
                aria-current={view === name ? 'page' : undefined}
              >
                <Icon name={name} />
                <span>{title}</span>
                {name === 'background' && <Running />}
              </a>
            </li>
          ))}
          <li class="more">
            <button
              type="button"
              class={VIEWS.findIndex(({ name }) => name === view) >= IN_BAR ? 'is-current' : undefined}
              aria-expanded={isMore}
              onClick={() => setMore(!isMore)}
            >
              <Icon name="more" />
              <span>More</span>
            </button>
          </li>
        </ul>
        <Recent current={view === 'chat' ? rest[0] : undefined} />
      </nav>
      <main id="main" tabIndex={-1}>
        {!isConnected.value && (
          <p class="offline" role="status">
            The connection to Reverie was lost; trying again…
          </p>
        )}
        <Guarded view={view} rest={rest} />
      </main>
      <Toasts />
    </div>
  )
}

/** A view that fails says so, and the others are there all the same. */
function Guarded({ view, rest }: { view: string; rest: string[] }) {
  const [error, reset] = useErrorBoundary()
  const failedAt = useRef('')
  useEffect(() => {
    if (error === undefined) return
    if (failedAt.current === '') failedAt.current = path.value
    else if (failedAt.current !== path.value) {
      failedAt.current = ''
      reset()
    }
  }, [error, path.value])
  if (error === undefined) return <Shown view={view} rest={rest} />
  return (
    <div class="view">
      <h1>This cannot be shown</h1>
      <Problem text={sentenceOf(error)} />
      <p>
        <button type="button" class="quiet" onClick={() => location.reload()}>
          Load the page again
        </button>
      </p>
    </div>
  )
}

/** As the server makes them: what else stands in an address is none. */
const ID = /^[\w-]+$/

function Shown({ view, rest }: { view: string; rest: string[] }) {
  const [first, second] = rest
  const isId = first === undefined || ID.test(first)
  switch (isId || view === 'memory' ? view : '') {
    case 'chat':
      return <ChatView session={first} />
    case 'memory':
      return <MemoryView scope={first} file={second} />
    case 'dreams':
      return <DreamsView id={first} />
    case 'sessions':
      return <SessionsView id={first} />
    case 'tasks':
      return <TasksView />
    case 'schedules':
      return <SchedulesView />
    case 'background':
      return <BackgroundView />
    case 'usage':
      return <UsageView />
    case 'settings':
      return <SettingsView />
    default:
      return (
        <div class="view">
          <h1>There is nothing here</h1>
          <p>
            <a href="/">Back to the conversation</a>
          </p>
        </div>
      )
  }
}

/** How much runs in the background just now. */
function Running() {
  const { value = [] } = useData<BackgroundTask[]>('background', ['background'])
  const count = value.filter(({ status }) => status === 'running' || status === 'queued').length
  return count === 0 ? null : <span class="count">{count}</span>
}

function Recent({ current }: { current: string | undefined }) {
  const { value = [] } = useData<SessionHead[]>('sessions', ['sessions', 'chats'])
  const recent = value.filter(({ problem }) => problem === undefined).slice(0, RECENT)
  if (recent.length === 0) return null
  return (
    <div class="recent">
      <h2>Recent</h2>
      <ul>
        {recent.map(({ id, title, lastAt, working }) => (
          <li key={id}>
            <a href={`/chat/${id}`} aria-current={id === current ? 'page' : undefined}>
              {working && <span class="pulse" />}
              <span class="recent-title" dir="auto">
                {title || 'Untitled'}
              </span>
              <span class="faint">{ago(lastAt)}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

function LockedOut() {
  return (
    <main class="locked">
      <Mark />
      <h1>This browser has no access any more</h1>
      <p>
        Open the link that <code>reverie web</code> prints; it works once, in one browser.
      </p>
    </main>
  )
}

export function useSettings(): Data<Settings> {
  return useData<Settings>('settings', ['settings'])
}
