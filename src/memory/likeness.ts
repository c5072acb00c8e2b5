import { createHash } from 'node:crypto'
import type { VectorSignal } from '../search/index.ts'
import { inTransaction } from '../store/index.ts'
import type { Catalogue } from './catalogue.ts'

/** An embedding model, whoever's: texts in, one vector each out. */
export interface Embedder {
  /** Names the model; vectors of different models are never compared. */
  model: string
  embed(texts: readonly string[]): Promise<ReadonlyArray<Float32Array | readonly number[]>>
}

/** How many texts are sent to the model at once. */
const BATCH = 64
/** A memory this many standard deviations more alike than the average one is alike beyond doubt… */
const OUTSTANDING = 3
/** …and among few, where deviations say little, only one that is nearly the same. */
const NEARLY_SAME = 0.8
const FEW = 20

/** The likeness of memories to a question as a second signal. Vectors are kept until their text changes. */
export function likeness(
  catalogue: Catalogue,
  embedder: Embedder,
): { signal: VectorSignal; alike: () => ReadonlySet<string> } {
  let outstanding: ReadonlySet<string> = new Set()
  const signal: VectorSignal = async (query, limit) => {
    const vectors = await upToDateVectors(catalogue, embedder)
    const [asked] = await embedder.embed([query])
    if (!asked) return []
    const question = Float32Array.from(asked)
    const scored = [...vectors].map(([id, vector]) => ({ id, score: cosine(question, vector) }))
    scored.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    outstanding = new Set(standOut(scored).map(({ id }) => id))
    return scored.slice(0, limit).map(({ id }) => id)
  }
  return { signal, alike: () => outstanding }
}

function standOut<T extends { score: number }>(scored: readonly T[]): T[] {
  if (scored.length < FEW) return scored.filter(({ score }) => score >= NEARLY_SAME)
  const mean = scored.reduce((sum, { score }) => sum + score, 0) / scored.length
  const deviation = Math.sqrt(scored.reduce((sum, { score }) => sum + (score - mean) ** 2, 0) / scored.length)
  return scored.filter(({ score }) => score >= mean + OUTSTANDING * deviation)
}

async function upToDateVectors(catalogue: Catalogue, embedder: Embedder): Promise<Map<string, Float32Array>> {
  const { db } = catalogue
  const known = new Map<string, { hash: string; vector: Float32Array }>()
  for (const row of db.prepare('SELECT id, hash, vector FROM vector WHERE model = ?').all(embedder.model))
    known.set(String(row.id), { hash: String(row.hash), vector: toFloats(row.vector as Uint8Array) })
  const vectors = new Map<string, Float32Array>()
  const missing: Array<{ id: string; text: string; hash: string }> = []
  for (const { id, text } of catalogue.texts()) {
    const hash = createHash('sha256').update(text).digest('hex')
    const found = known.get(id)
    if (found?.hash === hash) vectors.set(id, found.vector)
    else missing.push({ id, text, hash })
  }
  const insert = db.prepare('INSERT OR REPLACE INTO vector VALUES (?, ?, ?, ?)')
  for (let start = 0; start < missing.length; start += BATCH) {
    const batch = missing.slice(start, start + BATCH)
    const made = await embedder.embed(batch.map(({ text }) => text))
    inTransaction(db, () => {
      for (const [at, { id, hash }] of batch.entries()) {
        const vector = Float32Array.from(made[at] ?? [])
        if (vector.length === 0) continue
        insert.run(id, embedder.model, hash, new Uint8Array(vector.buffer))
        vectors.set(id, vector)
      }
    })
  }
  return vectors
}

function toFloats(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer)
}

function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return 0
  let [dot, aa, bb] = [0, 0, 0]
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [a[at] ?? 0, b[at] ?? 0]
    dot += x * y
    aa += x * x
    bb += y * y
  }
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb)
}
