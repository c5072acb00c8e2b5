/** What a dream found and mended of what was planted, and what it took for something it is not. */

import type { Dreamed } from '../../src/dream/index.ts'
import { INDEX_BYTES, INDEX_FILE, INDEX_LINES, parseEntry } from '../../src/memory/index.ts'
import type { Garden, Planted, PlantedKind } from './plant.ts'

export interface Tally {
  right: number
  of: number
  /** For the eye: what went wrong. */
  misses: string[]
}

export type Scores = Map<string, Tally>

export function score({ material, planted, keep, pinned }: Garden, dreamed: Dreamed): Scores {
  const files = new Map(material.memories.map(({ file, text }) => [file, text]))
  files.set(INDEX_FILE, material.index)
  for (const { file, text } of dreamed.changes) {
    if (text === null) files.delete(file)
    else files.set(file, text)
  }
  const index = files.get(INDEX_FILE) ?? ''
  const everything = [...files.values()].join('\n')
  const scores: Scores = new Map()
  const count = (name: string, ok: boolean, miss: string): void => {
    const tally = scores.get(name) ?? { right: 0, of: 0, misses: [] }
    tally.of += 1
    if (ok) tally.right += 1
    else tally.misses.push(miss)
    scores.set(name, tally)
  }
  const body = (file: string | undefined): string =>
    material.memories.find(each => each.file === file)?.body ?? file ?? ''
  const mended: Record<PlantedKind, (planted: Planted) => boolean> = {
    exact: ({ file, other = '' }) => files.has(file) !== files.has(other),
    reworded: ({ file, other = '' }) => files.has(file) !== files.has(other),
    changed: ({ file, other = '' }) => !files.has(file) && files.has(other),
    stale: ({ file }) => !files.has(file),
    relative: ({ file, there = '' }) => (files.get(file) ?? '').includes(there),
    secret: ({ gone = '' }) => !everything.includes(gone),
    injected: ({ gone = '' }) => !everything.includes(gone.slice(0, 20)),
    'long-line': ({ there = '' }) =>
      [...files].some(([file, text]) => file !== INDEX_FILE && text.includes(there)) &&
      !index.includes(there),
    dangling: ({ file }) => !index.includes(file),
    said: ({ there = '' }) =>
      dreamed.changes.some(({ action, text }) => action === 'create' && text?.includes(there)),
    refused: ({ file, other = '' }) => files.has(file) && files.has(other),
  }
  for (const each of planted)
    count(
      each.kind,
      mended[each.kind](each),
      `${body(each.file)} / ${body(each.other)} ${each.there ?? each.gone ?? ''}`,
    )
  for (const ways of keep)
    count(
      'facts kept',
      ways.some(way => everything.includes(way)),
      ways.join(' / '),
    )
  for (const [file, text] of pinned) count('pinned untouched', files.get(file) === text, file)
  count(
    'caps',
    index.split('\n').length - 1 <= INDEX_LINES && Buffer.byteLength(index) <= INDEX_BYTES,
    `${index.split('\n').length} lines`,
  )
  count('others kept', index.includes('notes.md') && index.includes('Kept by hand'), 'a line of the owner')
  for (const { file, text } of dreamed.changes)
    if (text !== null && file !== INDEX_FILE) count('files parse', parseEntry(text).ok, file)
  const pairsOf = (...kinds: PlantedKind[]): Set<string> =>
    new Set(
      planted.flatMap(({ kind, file, other = '' }) =>
        kinds.includes(kind) ? [[file, other].sort().join()] : [],
      ),
    )
  const precise = (kind: 'duplicate' | 'contradiction', right: Set<string>, skip: Set<string>): void => {
    for (const finding of dreamed.findings) {
      const key = finding.files.toSorted().join()
      if (finding.kind === kind && !skip.has(key))
        count(
          `${kind} precision`,
          right.has(key) || finding.files.some(file => pinned.has(file)),
          finding.files.map(body).join(' / '),
        )
    }
  }
  precise('duplicate', pairsOf('reworded', 'refused'), pairsOf('exact'))
  precise('contradiction', pairsOf('changed'), new Set())
  return scores
}

export function add(into: Scores, more: Scores): void {
  for (const [name, { right, of, misses }] of more) {
    const tally = into.get(name) ?? { right: 0, of: 0, misses: [] }
    into.set(name, { right: tally.right + right, of: tally.of + of, misses: [...tally.misses, ...misses] })
  }
}
