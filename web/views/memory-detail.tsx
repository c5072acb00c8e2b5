import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../api.ts'
import { useData } from '../data.ts'
import { Icon } from '../parts/icons.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { Act, Diff, Problem, TypeTag, Waiting } from '../parts/pieces.tsx'
import { say } from '../parts/toast.tsx'
import { go } from '../route.ts'
import type { FullMemory, MemoryEntry } from '../types.ts'
import { ago, moment, shortly } from '../words.ts'
import { undoLast } from './memory.tsx'
import { MemoryEdit } from './memory-edit.tsx'
import { hasDraft } from './memory-form.tsx'

export function MemoryDetail({ scope, file }: { scope: string; file: string }) {
  const path = `memory/${scope}/${encodeURIComponent(file)}`
  const { value: memory, problem, isGone, refresh } = useData<FullMemory>(path, ['memory'])
  const [isEditing, setEditing] = useState(hasDraft(path))
  const editButton = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  useEffect(() => {
    // The keyboard goes on where it came from.
    if (wasEditing.current && !isEditing) editButton.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])
  if (!memory)
    return (
      <section class="detail" aria-label="Memory">
        <BackToList />
        {problem === undefined ? <Waiting /> : <Problem text={isGone ? NOT_THERE : problem} />}
      </section>
    )
  const forget = async () => {
    const { entry } = await api.delete<{ entry?: string }>(path)
    go('/memory')
    say(
      `Forgot “${memory.name}”. It stays in the trash for 30 days.`,
      entry === undefined ? undefined : { label: 'Undo', run: () => undoLast(entry) },
    )
  }
  if (isEditing)
    return (
      <section class="detail" aria-label="Edit memory">
        <MemoryEdit
          path={path}
          memory={memory}
          isGone={isGone}
          refresh={refresh}
          onEnd={() => setEditing(false)}
        />
      </section>
    )
  return (
    <section class="detail" aria-label="Memory">
      <BackToList />
      <Problem text={isGone ? `${NOT_THERE} This is what it said.` : problem} />
      <header class="detail-head">
        <h2 dir="auto">{memory.name}</h2>
        <p class="about" dir="auto">
          {memory.description}
        </p>
        <p class="row-foot">
          <TypeTag type={memory.type} />
          <span class="faint">{shortly(memory.note)}</span>
        </p>
        {!isGone && (
          <div class="actions">
            <button type="button" class="quiet" ref={editButton} onClick={() => setEditing(true)}>
              Edit
            </button>
            <Act
              run={async () => {
                await api.patch(path, { pinned: !memory.pinned })
                await refresh()
              }}
            >
              <Icon name="pin" /> {memory.pinned ? 'Unpin' : 'Pin'}
            </Act>
            <Act kind="quiet is-danger" run={forget}>
              Forget
            </Act>
          </div>
        )}
      </header>
      {memory.body.trim() === '' ? (
        <p class="faint">There is no more to it.</p>
      ) : (
        <Markdown text={memory.body} />
      )}
      <p class="faint file">
        <code>{memory.file}</code> · {memory.scope}
        {memory.pinned && ' · pinned: no dream changes it'}
      </p>
      <MemoryHistory path={path} />
    </section>
  )
}

const NOT_THERE = 'There is no memory of this name, or not any more: it was forgotten or renamed.'

function BackToList() {
  return (
    <a class="back" href="/memory">
      <Icon name="back" /> All memories
    </a>
  )
}

function MemoryHistory({ path }: { path: string }) {
  const { value, problem } = useData<MemoryEntry[]>(`${path}/history`, ['memory'])
  return (
    <section class="history" aria-label="History">
      <h3>History</h3>
      <Problem text={problem} />
      {value?.length === 0 && <p class="faint">The journal knows nothing of it yet.</p>}
      <ol class="timeline">
        {value?.map(({ id, at, by, kind, message, patch }) => (
          <li key={id}>
            <details>
              <summary>
                <span>{message}</span>
                <time class="faint" dateTime={at} title={moment(at)}>
                  {ago(at)} · {by}
                </time>
              </summary>
              <Diff patch={patch} label={`What “${message}” changed`} />
              {kind !== 'undo' && kind !== 'found' && (
                <Act run={() => undoLast(id)}>
                  <Icon name="undo" /> Undo this
                </Act>
              )}
            </details>
          </li>
        ))}
      </ol>
    </section>
  )
}
