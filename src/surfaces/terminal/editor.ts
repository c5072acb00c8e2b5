/** What is being typed, as a value: a key makes the next one of it. */
import { graphemes } from '../text/width.ts'
import type { Key } from './keys.ts'

export interface Editor {
  readonly text: string
  /** Before this code unit. */
  readonly cursor: number
  /** What was cut last; Control-Y brings it back. */
  readonly cut: string
  /** Long pastes: each stands in the text as one character. */
  readonly pastes: readonly string[]
  /** What it was before, the last at the end. */
  readonly past: readonly Pick<Editor, 'text' | 'cursor'>[]
  /** The column that moving up and down keeps to. */
  readonly column?: number | undefined
}

export const EMPTY: Editor = { text: '', cursor: 0, cut: '', pastes: [], past: [] }

/** A paste of more than this is shown by its size. */
const [LONG_PASTE_LINES, LONG_PASTE_CHARACTERS] = [5, 800]
const UNDO_STEPS = 100
/** Pastes are characters of a plane that nobody types. */
const PASTE_BASE = 0x100000
const PASTE_MARKS = /[\u{100000}-\u{10fffd}]/gu
const WORD = /[\p{L}\p{N}\p{M}_]/u

export function editorWith(editor: Editor, text: string): Editor {
  return { ...editor, text, cursor: text.length, column: undefined }
}

/** What was typed, with every paste in full. */
export function fullText({ text, pastes }: Editor): string {
  return text.replaceAll(PASTE_MARKS, mark => pastes[indexOfMark(mark)] ?? '')
}

/** What a paste is shown as; of another character, undefined. */
export function pasteLabel(character: string, pastes: readonly string[]): string | undefined {
  const paste = (character.codePointAt(0) ?? 0) < PASTE_BASE ? undefined : pastes[indexOfMark(character)]
  if (paste === undefined) return undefined
  const count = paste.replace(/\n$/, '').split('\n').length
  const same = pastes.slice(0, indexOfMark(character)).length
  const size = count > 1 ? `${count} lines` : `${paste.length} characters`
  return `[Pasted ${size}${same > 0 ? ` #${same + 1}` : ''}]`
}

function indexOfMark(mark: string): number {
  return (mark.codePointAt(0) ?? 0) - PASTE_BASE
}

export function paste(editor: Editor, text: string): Editor {
  const clean = text.replaceAll(PASTE_MARKS, '')
  if (clean.split('\n').length <= LONG_PASTE_LINES && clean.length <= LONG_PASTE_CHARACTERS)
    return insert(editor, clean)
  const mark = String.fromCodePoint(PASTE_BASE + editor.pastes.length)
  return { ...insert(editor, mark), pastes: [...editor.pastes, clean] }
}

export function insert(editor: Editor, text: string): Editor {
  const { text: before, cursor } = editor
  return changed(editor, before.slice(0, cursor) + text + before.slice(cursor), cursor + text.length)
}

/** The editor after a key; undefined when the key means nothing to it. */
export function edit(editor: Editor, key: Key): Editor | undefined {
  const act = ACTIONS[chord(key)]
  if (act) return act(editor)
  const { text } = key
  return text === undefined || new RegExp(PASTE_MARKS).test(text) ? undefined : insert(editor, text)
}

/** `ctrl+a`, `alt+enter`, `left`. */
export function chord({ name, ctrl, alt, shift }: Key): string {
  const isShifted = shift && name.length > 1
  return [ctrl && 'ctrl', alt && 'alt', isShifted && 'shift', name].filter(Boolean).join('+')
}

const back = (editor: Editor) => moved(editor, before(editor))
const forth = (editor: Editor) => moved(editor, after(editor))
const wordBack = (editor: Editor) => moved(editor, wordStart(editor))
const wordForth = (editor: Editor) => moved(editor, wordEnd(editor))
const toStart = (editor: Editor) => moved(editor, lineStart(editor))
const toEnd = (editor: Editor) => moved(editor, lineEnd(editor))
const newLine = (editor: Editor) => insert(editor, '\n')
const eraseBack = (editor: Editor) => erased(editor, before(editor), editor.cursor)
const eraseForth = (editor: Editor) => erased(editor, editor.cursor, after(editor))
const cutWord = (editor: Editor) => cut(editor, wordStart(editor), editor.cursor)

const ACTIONS: Readonly<Record<string, (editor: Editor) => Editor>> = {
  left: back,
  right: forth,
  'ctrl+b': back,
  'ctrl+f': forth,
  'alt+b': wordBack,
  'alt+f': wordForth,
  'ctrl+left': wordBack,
  'ctrl+right': wordForth,
  'alt+left': wordBack,
  'alt+right': wordForth,
  home: toStart,
  end: toEnd,
  'ctrl+a': toStart,
  'ctrl+e': toEnd,
  'alt+enter': newLine,
  'shift+enter': newLine,
  'ctrl+j': newLine,
  backspace: eraseBack,
  'shift+backspace': eraseBack,
  delete: eraseForth,
  'ctrl+d': eraseForth,
  'alt+backspace': cutWord,
  'ctrl+backspace': cutWord,
  'ctrl+w': editor => cut(editor, blankStart(editor), editor.cursor),
  'alt+d': editor => cut(editor, editor.cursor, wordEnd(editor)),
  'ctrl+u': editor => cut(editor, lineStart(editor), editor.cursor),
  'ctrl+k': editor => {
    const end = lineEnd(editor)
    return cut(editor, editor.cursor, end === editor.cursor ? after(editor) : end)
  },
  'ctrl+y': editor => insert(editor, editor.cut),
  'ctrl+_': undone,
  'ctrl+\u007f': undone,
}

function changed(editor: Editor, text: string, cursor: number): Editor {
  if (text === editor.text) return moved(editor, cursor)
  const past = [...editor.past, { text: editor.text, cursor: editor.cursor }].slice(-UNDO_STEPS)
  return { ...editor, text, cursor, past, column: undefined }
}

function moved(editor: Editor, cursor: number): Editor {
  return { ...editor, cursor, column: undefined }
}

function erased(editor: Editor, from: number, to: number): Editor {
  return changed(editor, editor.text.slice(0, from) + editor.text.slice(to), from)
}

function cut(editor: Editor, from: number, to: number): Editor {
  return from === to ? editor : { ...erased(editor, from, to), cut: editor.text.slice(from, to) }
}

function undone(editor: Editor): Editor {
  const last = editor.past.at(-1)
  return last ? { ...editor, ...last, past: editor.past.slice(0, -1), column: undefined } : editor
}

function before({ text, cursor }: Editor): number {
  return cursor - (graphemes(text.slice(0, cursor)).at(-1)?.length ?? 0)
}

function after({ text, cursor }: Editor): number {
  return cursor + (graphemes(text.slice(cursor))[0]?.length ?? 0)
}

function lineStart({ text, cursor }: Editor): number {
  return text.lastIndexOf('\n', cursor - 1) + 1
}

function lineEnd({ text, cursor }: Editor): number {
  const end = text.indexOf('\n', cursor)
  return end < 0 ? text.length : end
}

function wordStart({ text, cursor }: Editor): number {
  let at = cursor
  while (at > 0 && !WORD.test(text[at - 1] ?? '')) at--
  while (at > 0 && WORD.test(text[at - 1] ?? '')) at--
  return at
}

function wordEnd({ text, cursor }: Editor): number {
  let at = cursor
  while (at < text.length && !WORD.test(text[at] ?? '')) at++
  while (at < text.length && WORD.test(text[at] ?? '')) at++
  return at
}

/** As a shell cuts words: up to the space before. */
function blankStart({ text, cursor }: Editor): number {
  let at = cursor
  while (at > 0 && /\s/.test(text[at - 1] ?? '')) at--
  while (at > 0 && /\S/.test(text[at - 1] ?? '')) at--
  return at
}
