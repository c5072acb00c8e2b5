import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { sentenceOf } from '../api.ts'
import { Problem, typeName } from '../parts/pieces.tsx'
import { MEMORY_TYPES, type MemoryType } from '../types.ts'

export interface MemoryFields {
  type: MemoryType
  name: string
  description: string
  body: string
}

const NOTHING: MemoryFields = { type: 'user', name: '', description: '', body: '' }

/** What was begun and not saved, by where: looking something up loses none of it. */
const drafts = new Map<string, MemoryFields>()

export function hasDraft(where: string): boolean {
  return drafts.has(where)
}

export function dropDraft(where: string): void {
  drafts.delete(where)
}

export function MemoryForm({
  where,
  title,
  fields = NOTHING,
  notice,
  saveAs = 'Save',
  onSave,
  onCancel,
}: {
  /** By which its draft is known. Whoever shows the form drops it when it is over. */
  where: string
  title: string
  fields?: MemoryFields
  /** Said above the buttons. */
  notice?: ComponentChildren
  saveAs?: string
  onSave(fields: MemoryFields): Promise<void>
  onCancel(): void
}) {
  const [draft, setDraft] = useState(drafts.get(where) ?? fields)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const set = (change: Partial<MemoryFields>) => {
    const next = { ...draft, ...change }
    drafts.set(where, next)
    setDraft(next)
  }
  const save = async () => {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      await onSave(draft)
    } catch (error) {
      setProblem(sentenceOf(error))
    }
    setBusy(false)
  }
  return (
    <form
      class="form"
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <h2>{title}</h2>
      <label>
        <span>Name</span>
        <input
          ref={first}
          required
          dir="auto"
          value={draft.name}
          placeholder="Prefers tabs"
          onInput={event => set({ name: event.currentTarget.value })}
        />
      </label>
      <label>
        <span>In one line, by which it is found</span>
        <input
          required
          dir="auto"
          value={draft.description}
          placeholder="Indents with tabs, never with spaces"
          onInput={event => set({ description: event.currentTarget.value })}
        />
      </label>
      <label>
        <span>Type</span>
        <select value={draft.type} onChange={event => set({ type: event.currentTarget.value as MemoryType })}>
          {MEMORY_TYPES.map(type => (
            <option key={type} value={type}>
              {typeName(type)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>All of it (Markdown)</span>
        <textarea
          rows={10}
          dir="auto"
          value={draft.body}
          onInput={event => set({ body: event.currentTarget.value })}
        />
      </label>
      {notice}
      <Problem text={problem} />
      <div class="actions">
        <button type="submit" class="solid" aria-disabled={busy} aria-busy={busy}>
          {saveAs}
        </button>
        <button type="button" class="quiet" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}
