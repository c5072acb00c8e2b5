/** What is being typed and everything that helps with it: the menu of completions, what was typed before, searching it. */
import type { Completion, SlashCommand } from '../slash/index.ts'
import { accepted, canComplete, enter, menuFor, moveIn, type OpenMenu } from './completing.ts'
import { chord, type Editor, EMPTY, edit, editorWith, fullText, insert, paste } from './editor.ts'
import { moveBetweenRows } from './editor-layout.ts'
import type { Key } from './keys.ts'
import * as recollection from './recollection.ts'

export interface PromptOptions {
  /** What was typed before, the oldest first. */
  entries(): readonly string[]
  complete(line: string): readonly Completion[] | Promise<readonly Completion[]>
  commandOf(line: string): SlashCommand | undefined
  /** The room for what is typed, in columns. */
  width(): number
  /** Something came that was not waited for. */
  changed(): void
}

/** What a key asks of the conversation. */
export type Wish = { kind: 'send'; text: string } | { kind: 'interrupt' } | { kind: 'next-mode' }

export class Prompt {
  #options: PromptOptions
  #editor: Editor = EMPTY
  #menu: OpenMenu | undefined
  /** A line for which no menu is wanted. */
  #dismissed: string | undefined
  #recollection: recollection.Recollection | undefined
  #search: recollection.Search | undefined

  constructor(options: PromptOptions) {
    this.#options = options
  }

  /** As it is shown: while something is searched, what was found. */
  get editor(): Editor {
    return this.#search ? editorWith(EMPTY, this.#found) : this.#editor
  }

  get menu(): OpenMenu | undefined {
    return this.#search ? undefined : this.#menu
  }

  /** What is searched for, and whether it was found. */
  get search(): { query: string; isFound: boolean } | undefined {
    return this.#search && { query: this.#search.query, isFound: this.#found !== '' }
  }

  get isEmpty(): boolean {
    return this.#editor.text === '' && !this.#search
  }

  /** Empty again; what was cut can still be brought back. */
  clear(): void {
    this.#search = undefined
    this.#become({ ...EMPTY, cut: this.#editor.cut })
  }

  /** Takes what is typed, in full. */
  take(): string {
    const text = fullText(this.#editor)
    this.clear()
    return text
  }

  write(text: string): void {
    this.#become(editorWith(this.#editor, text))
  }

  paste(text: string): void {
    this.#search = undefined
    this.#become(paste(this.#editor, text))
  }

  key(key: Key): Wish | undefined {
    const name = chord(key)
    if (this.#search) return this.#searchKey(this.#search, key)
    if (this.#menu) {
      const { isMine, wish } = this.#menuKey(this.#menu, name)
      if (isMine) return wish
    }
    switch (name) {
      case 'escape':
        return { kind: 'interrupt' }
      case 'shift+tab':
        return { kind: 'next-mode' }
      case 'enter':
        return this.#enter()
      case 'up':
      case 'ctrl+p':
        return this.#move(-1)
      case 'down':
      case 'ctrl+n':
        return this.#move(1)
      case 'ctrl+r':
        this.#search = recollection.search(this.#options.entries(), '')
        return undefined
      case 'tab':
        this.#dismissed = undefined
        this.#complete()
        return undefined
    }
    const edited = edit(this.#editor, key)
    if (edited) this.#become(edited)
    return undefined
  }

  /** With a backslash before it, Enter begins a new line. */
  #enter(): Wish | undefined {
    const { text, cursor } = this.#editor
    if (!text.slice(0, cursor).endsWith('\\')) return { kind: 'send', text: this.take() }
    const without = text.slice(0, cursor - 1) + text.slice(cursor)
    this.#become(insert({ ...this.#editor, text: without, cursor: cursor - 1 }, '\n'))
    return undefined
  }

  #menuKey(menu: OpenMenu, name: string): { isMine: boolean; wish?: Wish } {
    switch (name) {
      case 'escape':
        this.#dismissed = this.#editor.text
        this.#menu = undefined
        return { isMine: true }
      case 'up':
      case 'down':
        this.#menu = moveIn(menu, name === 'up' ? -1 : 1)
        return { isMine: true }
      case 'tab': {
        const taken = accepted(menu)
        this.write(/\s/.test(menu.line) ? taken : `${taken} `)
        return { isMine: true }
      }
      case 'enter': {
        const { line, isSent } = enter(menu, line => this.#options.commandOf(line))
        this.write(line)
        return isSent ? { isMine: true, wish: { kind: 'send', text: this.take() } } : { isMine: true }
      }
    }
    return { isMine: false }
  }

  #searchKey(search: recollection.Search, key: Key): undefined {
    const name = chord(key)
    const entries = this.#options.entries()
    if (name === 'ctrl+r') this.#search = recollection.searchOlder(search)
    else if (name === 'backspace') this.#search = recollection.search(entries, search.query.slice(0, -1))
    else if (key.text !== undefined) this.#search = recollection.search(entries, search.query + key.text)
    else {
      const found = this.#found
      this.#search = undefined
      if (name !== 'escape' && found !== '') this.write(found)
    }
  }

  get #found(): string {
    const { entries = [], at } = this.#search ?? {}
    return at === undefined ? '' : (entries[at] ?? '')
  }

  #become(editor: Editor): void {
    this.#recollection = undefined
    this.#editor = editor
    this.#complete()
  }

  /** What it takes to know what could be meant comes later, and counts only if it is still wanted. */
  #complete(): void {
    const { text, cursor } = this.#editor
    if (this.#menu?.line !== text) this.#menu = undefined
    if (!canComplete(text, cursor) || this.#dismissed === text || this.#menu) return
    const found = this.#options.complete(text)
    if (!('then' in found)) {
      this.#menu = menuFor(text, found)
      return
    }
    found.then(
      items => {
        const { text: now, cursor } = this.#editor
        if (now !== text || !canComplete(now, cursor) || this.#recollection) return
        this.#menu = menuFor(text, items)
        this.#options.changed()
      },
      () => {}, // what cannot be completed can still be typed, and is told then
    )
  }

  /** A row up or down; beyond the first and the last one, what was typed before and after. */
  #move(by: -1 | 1): undefined {
    // What was brought back is passed over as a whole, until another key touches it.
    const moved = this.#recollection ? undefined : moveBetweenRows(this.#editor, by, this.#options.width())
    if (moved) {
      this.#editor = moved
      return
    }
    const from = this.#recollection ?? recollection.begin(this.#options.entries(), this.#editor.text)
    const next = recollection.go(from, by)
    if (!next) return
    this.#editor = editorWith(this.#editor, recollection.shown(next))
    this.#recollection = next
    this.#menu = undefined
  }
}
