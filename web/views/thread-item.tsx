/** One thing in a conversation. */
import { useState } from 'preact/hooks'
import type { EffectItem, Item, QuestionItem, RecalledItem, ToolItem } from '../../src/surfaces/web/thread.ts'
import { api } from '../api.ts'
import { Icon } from '../parts/icons.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { Act } from '../parts/pieces.tsx'
import { attempt, say } from '../parts/toast.tsx'
import type { Undone } from '../types.ts'
import { shortly } from '../words.ts'

export function ThreadItem({ item, session }: { item: Item; session?: string }) {
  switch (item.kind) {
    case 'said':
      return (
        <div class={item.waits ? 'said is-waiting' : 'said'} dir="auto">
          {item.by === 'schedule' && <span class="said-by">Schedule</span>}
          {item.text}
          {item.waits && session !== undefined && (
            <button
              type="button"
              class="link"
              onClick={() => void attempt(() => api.post(`chat/${session}/unsay`))}
            >
              waits to be heard · take back
            </button>
          )}
        </div>
      )
    case 'reply':
      return <Reply item={item} />
    case 'tool':
      return <Tool item={item} />
    case 'recalled':
      return <RecalledLine item={item} />
    case 'effect':
      return <Effect item={item} />
    case 'todo':
      return (
        <ul class="todo-list" aria-label="Plan">
          {item.items.map(({ text, status }) => (
            <li key={text} class={`is-${status}`} dir="auto">
              {text}
            </li>
          ))}
        </ul>
      )
    case 'aside':
      return (
        <p class="note">
          {item.text}
          {item.undo !== null && <UndoLink id={item.undo} isDream={item.job === 'dream'} />}
        </p>
      )
    case 'waiting':
      return (
        <p class="note" role="status">
          <span class="pulse" /> {item.why} Trying again ({item.attempt} of {item.of})…
        </p>
      )
    case 'notice':
      return <p class={item.isProblem ? 'problem' : 'note'}>{item.text}</p>
    case 'question':
      return session === undefined ? null : <Question item={item} session={session} />
    case 'command':
      return (
        <div class="command">
          {item.line !== '' && <code class="command-line">{item.line}</code>}
          {item.text !== '' && (
            <pre
              class={`${item.isProblem ? 'is-problem' : ''} ${isTable(item.text) ? 'is-table' : ''}`}
              tabIndex={0}
            >
              {item.text}
            </pre>
          )}
        </div>
      )
  }
}

/** What stands in columns is not folded. */
function isTable(text: string): boolean {
  return text.split('\n').filter(line => /\S {2,}\S/.test(line)).length > 1
}

function Reply({ item: { text, thinking, open } }: { item: Extract<Item, { kind: 'reply' }> }) {
  return (
    <article class={open ? 'reply is-open' : 'reply'} aria-label="Reverie">
      {thinking !== '' && (
        <details class="thinking">
          <summary>{open && text === '' ? 'Thinking…' : 'Thoughts'}</summary>
          <div>{thinking}</div>
        </details>
      )}
      {text !== '' && <Markdown text={text} />}
    </article>
  )
}

const OUTCOMES = { ok: 'done', error: 'failed', denied: 'not allowed', interrupted: 'interrupted' }

function Tool({ item: { tool, about, input, progress, outcome, text } }: { item: ToolItem }) {
  const state = outcome ?? 'running'
  return (
    <details class={`tool is-${state}`}>
      <summary>
        {outcome === undefined ? (
          <span class="pulse" />
        ) : (
          <Icon name={outcome === 'ok' ? 'check' : 'close'} />
        )}
        <code>{tool}</code>
        <span class="tool-about">{outcome === undefined && progress !== '' ? progress : about}</span>
        <span class="hidden">{outcome === undefined ? 'running' : OUTCOMES[outcome]}</span>
      </summary>
      <pre tabIndex={0}>{input}</pre>
      {text !== '' && <pre tabIndex={0}>{text}</pre>}
    </details>
  )
}

function RecalledLine({ item: { memories } }: { item: RecalledItem }) {
  return (
    <p class="recalled">
      <Icon name="memory" />
      <span>
        Recalled{' '}
        {memories.map(({ scope, file, name, note }, at) => (
          <span key={file}>
            {at > 0 && ', '}
            <a href={`/memory/${scope}/${encodeURIComponent(file)}`}>
              <bdi>{name}</bdi>
            </a>{' '}
            <span class="faint">({shortly(note)})</span>
          </span>
        ))}
      </span>
    </p>
  )
}

const DID = { remembered: 'Remembered', updated: 'Updated', forgotten: 'Forgot' }

function Effect({ item: { what, name, undo, warnings } }: { item: EffectItem }) {
  return (
    <p class="effect">
      <Icon name={what === 'forgotten' ? 'close' : 'memory'} />
      <span>
        {DID[what]}:{' '}
        <strong>
          <bdi>{name}</bdi>
        </strong>
        {undo !== null && <UndoLink id={undo} />}
        {warnings.map(warning => (
          <span key={warning} class="faint">
            {' '}
            {warning}
          </span>
        ))}
      </span>
    </p>
  )
}

function UndoLink({ id, isDream = false }: { id: string; isDream?: boolean }) {
  const [done, setDone] = useState(false)
  if (done) return <span class="faint"> · undone</span>
  const undo = async () => {
    const { conflicts } = isDream
      ? await api.post<Undone>(`dreams/${id}/undo`)
      : await api.post<Undone>('memory/undo', { id })
    setDone(true)
    if (conflicts.length > 0)
      say(`Left as they are, because they were changed since: ${conflicts.join(', ')}`)
  }
  return (
    <>
      {' · '}
      <Act kind="link" run={undo}>
        undo
      </Act>
    </>
  )
}

/** What a tool would be called with: a name and a value each, or as it is. */
function Called({ input }: { input: string }) {
  const fields = fieldsOf(input)
  if (!fields) return <pre tabIndex={0}>{input}</pre>
  return (
    <dl class="called" tabIndex={0}>
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</dd>
        </div>
      ))}
    </dl>
  )
}

function fieldsOf(input: string): [string, unknown][] | undefined {
  try {
    const value: unknown = JSON.parse(input)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value)
      : undefined
  } catch {
    return undefined // cut short, or no JSON
  }
}

function Question({ item: { id, ask }, session }: { item: QuestionItem; session: string }) {
  const [text, setText] = useState('')
  const answer = (body: object) => api.post(`chat/${session}/answers/${id}`, body)
  const refuse = () => answer({ answer: 'no', ...(text.trim() !== '' && { reason: text }) })
  if (ask.kind === 'question')
    return (
      <div class="question" role="group" aria-label="Question">
        <p dir="auto">{ask.question}</p>
        <div class="actions">
          {ask.options.map(option => (
            <Act key={option} run={() => answer({ text: option })}>
              <bdi>{option}</bdi>
            </Act>
          ))}
        </div>
        <form
          class="inline"
          onSubmit={event => {
            event.preventDefault()
            void attempt(() => answer({ text }))
          }}
        >
          <input
            dir="auto"
            value={text}
            aria-label="Your answer"
            placeholder="Your answer"
            onInput={event => setText(event.currentTarget.value)}
          />
          <button type="submit" class="solid" disabled={text.trim() === ''}>
            Answer
          </button>
        </form>
      </div>
    )
  return (
    <div class="question" role="group" aria-label="Permission">
      <p>
        <strong>{ask.tool}</strong>: {ask.reason}
      </p>
      <Called input={ask.input} />
      <div class="actions">
        <Act kind="solid" run={() => answer({ answer: 'once' })}>
          Allow once
        </Act>
        <Act run={() => answer({ answer: 'session' })}>In this session</Act>
        {ask.canAlways && ask.suggestion !== null && (
          <Act run={() => answer({ answer: 'always' })}>Always {ask.suggestion}</Act>
        )}
        <Act run={refuse}>No</Act>
      </div>
      <input
        class="wide"
        dir="auto"
        // What to do instead is a no: Enter sends it. Enter alone says nothing.
        onKeyDown={event => {
          if (event.key === 'Enter' && !event.isComposing && text.trim() !== '') void attempt(refuse)
        }}
        value={text}
        aria-label="Why not, or what to do instead"
        placeholder="With a no: what to do instead (optional)"
        onInput={event => setText(event.currentTarget.value)}
      />
    </div>
  )
}
