/** Which view is shown: the path of the address. */
import { signal } from '@preact/signals'

export const path = signal(location.pathname)

/** The conversation that one came from, to go back to. */
export const lastChat = signal<string | undefined>(undefined)

addEventListener('popstate', () => {
  path.value = location.pathname
})

/** A link within the page changes the view and loads nothing. */
addEventListener('click', event => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const link = (event.target as Element | null)?.closest?.('a')
  if (!link || link.target || link.origin !== location.origin || link.hasAttribute('download')) return
  if (link.hash !== '') return // within this view
  event.preventDefault()
  go(link.pathname)
})

export function go(to: string, { replace = false } = {}): void {
  if (to === path.value) return
  if (replace) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
  path.value = to
  if (!replace) scrollTo(0, 0)
}

/** The parts of a path: `/memory/user/x.md` is `memory`, `user`, `x.md`. */
export function partsOf(text: string): string[] {
  return text.split('/').filter(Boolean).map(decoded)
}

/** What somebody typed or cut short may be no encoding of anything: it stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
