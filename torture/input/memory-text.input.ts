import { editEntry, parseEntry, printEntry } from '../../src/memory/entry.ts'
import { deriveIndex, loadIndex } from '../../src/memory/index-file.ts'
import { printLine } from '../../src/memory/index-line.ts'
import { fileNames } from '../../src/memory/name.ts'
import { queryTerms, snippet } from '../../src/search/index.ts'
import { fileNameProblem, splitFile } from '../../src/store/index.ts'
import { assertRule } from '../kill/scenario.ts'
import { garbage, garbageFile } from './garbage.ts'

/** Texts, names and questions of every kind, through the pure parts of memory. */
export async function feed(count: number, random: () => number): Promise<string> {
  let entries = 0
  for (let number = 0; number < count; number++) {
    const text = garbageFile(random)
    const parsed = parseEntry(text)
    if (parsed.ok) {
      entries++
      assertRule(editEntry(text, {}) === text, 'an empty edit changes nothing')
      const edited = editEntry(text, { description: 'new' })
      assertRule(
        edited.endsWith(splitFile(text)?.rest ?? ''),
        `the body survives an edit of ${JSON.stringify(text)}`,
      )
      assertRule(
        parseEntry(printEntry(parsed.entry)).ok,
        `what is printed of ${JSON.stringify(text)} can be read`,
      )
    }
    const name = garbage(random)
    for (const file of fileNames('user', name).take(2))
      assertRule(
        fileNameProblem(file) === undefined,
        `${JSON.stringify(name)} gives a plain file name, not ${file}`,
      )
    const line = printLine({ file: 'a.md', name, description: text })
    assertRule(line.length <= 150 && !line.includes('\n'), 'a line of the index is one short line')
    const { terms } = { terms: queryTerms(name).map(({ term }) => term) }
    assertRule(snippet(text, terms, 160).text.length <= 160, 'a snippet is short')
    if (number % 10 === 0) checkIndex(garbage(random, 80), name)
  }
  return `${entries} of them were entries after all`
}

function checkIndex(text: string, name: string): void {
  const entries = [{ file: 'a.md', name, description: name, type: 'user' as const, worth: 1 }]
  const { text: derived, demoted } = deriveIndex({ text, entries, present: new Set(['a.md']) })
  const again = deriveIndex({ text: derived, entries, present: new Set(['a.md']) })
  assertRule(again.text === derived, `the index of ${JSON.stringify(text)} is stable`)
  assertRule(demoted.length > 0 || derived.includes('a.md'), 'an entry has its line')
  loadIndex(text)
}
