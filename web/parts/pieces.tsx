/** What many views are made of. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { MemoryType } from '../types.ts'
import { Icon } from './icons.tsx'
import { attempt } from './toast.tsx'

export function View({
  title,
  about,
  actions,
  children,
}: {
  title: string
  about?: string | undefined
  actions?: ComponentChildren
  children: ComponentChildren
}) {
  return (
    <div class="view">
      <header class="view-head">
        <div>
          <h1>{title}</h1>
          {/* Its line is kept until it is known, so that what stands below does not move. */}
          <p class="about">{about || '\u00a0'}</p>
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** Nothing is there yet: what to do about it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <p>{children}</p>}
    </div>
  )
}

export function Problem({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  )
}

export function Waiting() {
  return (
    <p class="waiting" role="status">
      <span class="pulse" />
      <span class="hidden">Loading…</span>
    </p>
  )
}

const TYPE_NAMES: Record<MemoryType, string> = {
  user: 'You',
  feedback: 'How to work',
  project: 'Project',
  reference: 'Reference',
}

export function typeName(type: MemoryType): string {
  return TYPE_NAMES[type] ?? type
}

export function TypeTag({ type }: { type: MemoryType }) {
  return <span class={`tag tag-${type}`}>{typeName(type)}</span>
}

/** A button that says that it is at it, and is not pressed twice. */
export function Act({
  run,
  children,
  kind = 'quiet',
  label,
  disabled = false,
}: {
  run(): Promise<unknown>
  children: ComponentChildren
  kind?: string
  label?: string
  disabled?: boolean
}) {
  const [busy, setBusy] = useState(false)
  const press = async () => {
    if (busy) return
    setBusy(true)
    await attempt(run)
    setBusy(false)
  }
  return (
    <button
      type="button"
      class={kind}
      aria-label={label}
      aria-busy={busy}
      // Not disabled while it is at it: the keyboard would lose its place.
      aria-disabled={busy}
      disabled={disabled}
      onClick={() => void press()}
    >
      {children}
    </button>
  )
}

/** Of a unified diff the lines, each by what became of it. */
export function Diff({ patch, label }: { patch: string; label: string }) {
  const lines = patch
    .split('\n')
    .filter((line, at, all) => line !== '' || at < all.length - 1)
    .filter((line, at) => at > 0 || !/^@@ -[01],?\d* \+[01],?\d* @@/.test(line))
  if (lines.length === 0) return <p class="faint">Nothing in this file changed.</p>
  return (
    <pre class="diff" tabIndex={0} role="region" aria-label={label}>
      {lines.map((line, at) => (
        <span key={at} class={KINDS[line[0] ?? ' '] ?? 'diff-same'}>
          {line.startsWith('@@') ? '⋯' : line.startsWith('\\') ? '' : line || ' '}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}

const KINDS: Record<string, string> = { '+': 'diff-in', '-': 'diff-out', '@': 'diff-gap', '\\': 'diff-none' }

export function Search({
  value,
  onInput,
  label,
}: {
  value: string
  onInput(value: string): void
  label: string
}) {
  return (
    <label class="search">
      <Icon name="search" />
      <span class="hidden">{label}</span>
      <input
        type="search"
        value={value}
        placeholder={label}
        onInput={event => onInput(event.currentTarget.value)}
      />
    </label>
  )
}
