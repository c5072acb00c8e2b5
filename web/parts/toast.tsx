/** What was done, or went wrong, said for a moment; with what takes it back. */
import { signal } from '@preact/signals'
import { sentenceOf } from '../api.ts'

interface Toast {
  id: number
  text: string
  isProblem: boolean
  action?: { label: string; run(): Promise<unknown> } | undefined
}

const SHOWN_MS = 7_000
const toasts = signal<Toast[]>([])
let count = 0

export function say(text: string, action?: Toast['action'], isProblem = false): void {
  const id = ++count
  toasts.value = [...toasts.value.slice(-2), { id, text, isProblem, action }]
  setTimeout(() => dismiss(id), isProblem ? 2 * SHOWN_MS : SHOWN_MS)
}

/** Does something, and says so when it does not work out. True when it did. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    say(sentenceOf(error), undefined, true)
    return false
  }
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter(toast => toast.id !== id)
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, isProblem, action }) => (
        <div key={id} class={isProblem ? 'toast is-problem' : 'toast'}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              class="quiet"
              onClick={() => {
                dismiss(id)
                void attempt(action.run)
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="bare" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  )
}
