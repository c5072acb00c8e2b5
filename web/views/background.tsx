/** What runs beside conversations: commands, helpers, dreams. */
import { useState } from 'preact/hooks'
import { api } from '../api.ts'
import { useData } from '../data.ts'
import { Icon } from '../parts/icons.tsx'
import { Act, Empty, Problem, View, Waiting } from '../parts/pieces.tsx'
import type { BackgroundTask } from '../types.ts'
import { ago } from '../words.ts'

const KINDS: Record<string, string> = { command: 'Command', agent: 'Helper', dream: 'Dream' }

export function BackgroundView() {
  const { value, problem } = useData<BackgroundTask[]>('background', ['background'])
  return (
    <View title="Background" about="Commands, helpers and dreams that run beside a conversation.">
      <Problem text={problem} />
      {!value && !problem && <Waiting />}
      {value?.length === 0 && (
        <Empty title="Nothing has run in the background">
          What an agent begins there is listed here, with what it prints.
        </Empty>
      )}
      <ul class="cards jobs">
        {value?.map(task => (
          <li key={task.id}>
            <Task task={task} />
          </li>
        ))}
      </ul>
    </View>
  )
}

function Task({ task }: { task: BackgroundTask }) {
  const { id, kind, title, status, createdAt, progress, waitingFor, summary, session } = task
  const [isOpen, setOpen] = useState(false)
  const isLive = status === 'running' || status === 'queued'
  return (
    <div class="row">
      <span class="row-title" dir="auto">
        {isLive ? <span class="pulse" /> : <span class={`dot is-${status}`} />}
        {kind === 'command' ? <code>{title}</code> : title.replace(/^./, first => first.toUpperCase())}
      </span>
      {(waitingFor ?? progress ?? summary) !== undefined && (
        <span class="row-about">
          {waitingFor === undefined ? (isLive ? progress : summary) : `Waits for an answer: ${waitingFor}`}
        </span>
      )}
      <span class="row-foot">
        <span class="tag">{KINDS[kind] ?? kind}</span>
        <span class="faint">
          {status} · {ago(createdAt)} · {id}
        </span>
        {session !== undefined && <a href={`/chat/${session}`}>its conversation</a>}
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'hide output' : 'output'}
        </button>
        {isLive && (
          <Act run={() => api.post(`background/${id}/stop`)}>
            <Icon name="stop" /> Stop
          </Act>
        )}
      </span>
      {isOpen && <Output id={id} />}
    </div>
  )
}

function Output({ id }: { id: string }) {
  const { value, problem } = useData<{ text: string }>(`background/${id}/output`, ['background'])
  if (problem !== undefined) return <Problem text={problem} />
  return <pre tabIndex={0}>{value ? value.text || 'It has printed nothing.' : '…'}</pre>
}
