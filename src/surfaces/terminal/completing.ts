/** The menu under the prompt: what a line that begins with a slash could become, and what a key makes of it. */
import type { Completion, SlashCommand } from '../slash/index.ts'
import type { Menu } from './live.ts'

export interface OpenMenu extends Menu {
  /** What was typed when it was opened. */
  line: string
  /** The person chose, and did not just type on. */
  isTouched: boolean
}

/** Undefined where there is nothing to choose from. */
export function menuFor(line: string, items: readonly Completion[]): OpenMenu | undefined {
  if (items.length === 0 || (items.length === 1 && completed(line, items[0]?.value ?? '') === line))
    return undefined
  return { line, items, selected: 0, isTouched: false }
}

/** Whether a line is one for which there may be a menu. */
export function canComplete(text: string, cursor: number): boolean {
  return text.startsWith('/') && cursor === text.length && !text.includes('\n')
}

export function moveIn(menu: OpenMenu, by: -1 | 1): OpenMenu {
  const count = menu.items.length
  return { ...menu, selected: (menu.selected + by + count) % count, isTouched: true }
}

/** The line with what is selected. */
export function accepted(menu: OpenMenu): string {
  return completed(menu.line, menu.items[menu.selected]?.value ?? '')
}

/** What Enter does: sends the line as it is, or takes what is selected, and sends that when nothing is missing. */
export function enter(
  menu: OpenMenu,
  commandOf: (line: string) => SlashCommand | undefined,
): { line: string; isSent: boolean } {
  const { line, isTouched } = menu
  const isName = !/\s/.test(line)
  if (!isTouched && (!isName || commandOf(line)?.name === line.slice(1))) return { line, isSent: true }
  const taken = accepted(menu)
  if (!isName) return { line: taken, isSent: true }
  const needsMore = /\s[^\s[]/.test(commandOf(taken)?.usage ?? '')
  return { line: needsMore ? `${taken} ` : taken, isSent: !needsMore }
}

function completed(line: string, value: string): string {
  const [, before = ''] = /^(\/[a-z-]+\s+)/.exec(line) ?? []
  return before + value
}
