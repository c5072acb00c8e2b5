/** A thread that searches files, so that a pattern that takes forever takes only this. */
import { parentPort, workerData } from 'node:worker_threads'
import type { GrepQuery, Hit } from './engine.ts'
import { searchFile } from './search-bytes.ts'

export interface SearchTask {
  files: readonly string[]
  query: GrepQuery
  /** [0]: grows while it goes on; [1]: the index of the file it is at. */
  pulse: SharedArrayBuffer
}

export type SearchMessage = { kind: 'found'; file: string; hits: readonly Hit[] } | { kind: 'done' }

search(workerData)

function search({ files, query, pulse: shared }: SearchTask): void {
  const pulse = new Int32Array(shared)
  const beat = () => void Atomics.add(pulse, 0, 1)
  const regex = new RegExp(query.javascript.source, query.javascript.flags)
  for (const [index, file] of files.entries()) {
    Atomics.store(pulse, 1, index)
    beat()
    const hits = searchIfThere(file, regex, query, beat)
    if (hits.length > 0) tell({ kind: 'found', file, hits })
  }
  tell({ kind: 'done' })
}

/** What went or cannot be read is passed over, as it is when walking. */
function searchIfThere(file: string, regex: RegExp, query: GrepQuery, beat: () => void): readonly Hit[] {
  try {
    return searchFile(file, regex, query, beat)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}

function tell(message: SearchMessage): void {
  parentPort?.postMessage(message)
}
