/** Where one writes: Enter sends, Shift+Enter begins a line, a slash completes. */
import type { MutableRef } from 'preact/hooks'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../api.ts'
import { Icon } from '../parts/icons.tsx'
import { attempt } from '../parts/toast.tsx'

interface Completion {
  value: string
  note?: string
}

const TALLEST_PX = 240

/** What was begun and not sent, by conversation: looking something up loses none of it. */
const drafts = new Map<string | undefined, string>()

export function Composer({
  session,
  open,
  isWorking,
  onSay,
}: {
  session: string | undefined
  open(): Promise<string>
  isWorking: boolean
  onSay(text: string): Promise<boolean>
}) {
  const isNaming = useRef(false)
  const [text, setText] = useDraft(session, isNaming)
  const field = useRef<HTMLTextAreaElement>(null)
  const { found, chosen, setChosen, clear } = useCompletion(text, open)

  useEffect(() => {
    // On a phone the keyboard would cover what one came to read.
    if (matchMedia('(min-width: 50rem)').matches) field.current?.focus()
  }, [session])
  useEffect(() => {
    const element = field.current
    if (!element) return
    element.style.height = 'auto'
    element.style.height = `${Math.min(element.scrollHeight, TALLEST_PX)}px`
  }, [text])
  useEffect(() => {
    if (!isWorking || session === undefined) return
    const end = (event: KeyboardEvent) => {
      if (event.key === 'Escape') void interrupt(session)
    }
    addEventListener('keydown', end)
    return () => removeEventListener('keydown', end)
  }, [isWorking, session])

  const send = async () => {
    const said = text.trim()
    if (said === '') return
    setText('')
    clear()
    isNaming.current = session === undefined
    if (await onSay(said)) return
    isNaming.current = false
    setText(now => (now === '' ? said : `${said}\n${now}`))
  }
  const take = ({ value }: Completion) => {
    const isName = !text.includes(' ')
    setText(isName ? `${value} ` : `${text.slice(0, text.indexOf(' ') + 1)}${value} `)
    field.current?.focus()
  }
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const picked = found[chosen]
    if (found.length > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      setChosen((chosen + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % found.length)
    } else if (picked && (event.key === 'Tab' || (event.key === 'Enter' && picked.value !== text.trim()))) {
      event.preventDefault()
      take(picked)
    } else if (event.key === 'Escape' && found.length > 0) {
      event.stopPropagation()
      clear()
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      void send()
    }
  }

  return (
    <form
      class="composer"
      onSubmit={event => {
        event.preventDefault()
        void send()
      }}
    >
      {found.length > 0 && (
        <ul class="completions" id="completions" role="listbox" aria-label="Completions">
          {found.map((each, at) => (
            <li
              key={each.value}
              id={`completion-${at}`}
              role="option"
              aria-selected={at === chosen}
              ref={at === chosen ? intoView : null}
              onMouseDown={event => {
                event.preventDefault()
                take(each)
              }}
            >
              <span>{each.value}</span>
              <span class="faint">{each.note}</span>
            </li>
          ))}
        </ul>
      )}
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        value={text}
        aria-label="Message"
        aria-autocomplete="list"
        aria-controls={found.length > 0 ? 'completions' : undefined}
        aria-activedescendant={found.length > 0 ? `completion-${chosen}` : undefined}
        placeholder={isWorking ? 'Say something more' : 'Write a message, or / for commands'}
        onInput={event => setText(event.currentTarget.value)}
        onKeyDown={press}
      />
      {isWorking && session !== undefined && (
        <button
          type="button"
          class="round is-stop"
          aria-label="Stop"
          title="Stop (Esc)"
          onClick={() => void interrupt(session)}
        >
          <Icon name="stop" />
        </button>
      )}
      <button
        type="submit"
        class="round"
        aria-label="Send"
        title="Send (Enter)"
        disabled={text.trim() === ''}
      >
        <Icon name="send" />
      </button>
    </form>
  )
}

function useDraft(session: string | undefined, isNaming: MutableRef<boolean>) {
  const [text, setText] = useState(drafts.get(session) ?? '')
  const shown = useRef(session)
  const keep = (text: string) =>
    text === '' ? drafts.delete(shown.current) : drafts.set(shown.current, text)
  useEffect(() => {
    if (shown.current === session) return
    const isNamed = isNaming.current && shown.current === undefined
    isNaming.current = false
    if (isNamed) drafts.delete(undefined)
    shown.current = session
    // A new conversation gets its name with its first message: what is typed meanwhile goes along.
    if (isNamed) keep(text)
    else setText(drafts.get(session) ?? '')
  }, [session])
  useEffect(() => void keep(text), [text])
  return [text, setText] as const
}

function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

function interrupt(session: string): Promise<boolean> {
  return attempt(() => api.post(`chat/${session}/interrupt`))
}

/** What a line that begins with a slash could become. */
function useCompletion(text: string, open: () => Promise<string>) {
  const [found, setFound] = useState<Completion[]>([])
  const [chosen, setChosen] = useState(0)
  const session = useRef<string>()
  useEffect(() => {
    const isCommand = /^\/[a-z-]*( \S*)?$/.test(text)
    if (!isCommand) {
      setFound([])
      return
    }
    let isOver = false
    const look = async () => {
      session.current ??= await open()
      const query = new URLSearchParams({ line: text })
      const all = await api.get<Completion[]>(`chat/${session.current}/complete?${query}`)
      if (isOver) return
      setFound(all)
      setChosen(0)
    }
    look().catch(() => setFound([])) // one can write without
    return () => {
      isOver = true
    }
  }, [text])
  return { found, chosen, setChosen, clear: () => setFound([]) }
}
