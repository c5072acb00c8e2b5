/**
 * Which documents are worth scoring. Rare words choose; a word that half the documents have only
 * helps to order those that rarer words brought.
 */
import { NEIGHBOUR_REACH } from './rank.ts'

/**
 * The most places read for one question. Reading one costs about a tenth of a microsecond to SQLite and
 * as much again to us, so this bounds a question to a few milliseconds however large the index is. Measured with 100,000 memories.
 */
const MOST_PLACES_READ = 8_000

export type TermFrequency = { term: number; documents: number }

export type Reading =
  /** Every place that has the term. */
  | { kind: 'all'; term: number }
  /** Places that have the common term, among those that have one of the others. */
  | { kind: 'among'; term: number; others: number[]; limit: number }
  /** Places that have all these common terms, newest first. */
  | { kind: 'together'; terms: number[]; limit: number }

/** What to read for a question, given how many documents have each of its terms. */
export function planReadings(frequencies: readonly TermFrequency[], enough: number): Reading[] {
  const rarest = frequencies
    .filter(({ documents }) => documents > 0)
    .sort((a, b) => a.documents - b.documents)
  const whole: number[] = []
  let places = 0
  for (const { term, documents } of rarest) {
    if (places + documents > MOST_PLACES_READ) break
    places += documents
    whole.push(term)
  }
  const common = rarest.slice(whole.length).map(({ term }) => term)
  if (whole.length === 0) return readTogether(common)
  const readings: Reading[] = whole.map(term => ({ kind: 'all', term }))
  if (places <= enough) return readings
  const limit = MOST_PLACES_READ
  return [...readings, ...common.map((term): Reading => ({ kind: 'among', term, others: whole, limit }))]
}

/** Every word is common: places where they meet come first, then the newest that have the rarest. */
function readTogether(common: readonly number[]): Reading[] {
  const sets = [common, common.slice(0, 2), common.slice(0, 1)]
  const distinct = sets.filter(
    (set, at) => set.length > 0 && sets.findIndex(s => s.length === set.length) === at,
  )
  const limit = Math.floor(MOST_PLACES_READ / Math.max(distinct.length, 1))
  return distinct.map(terms => ({ kind: 'together', terms: [...terms], limit }))
}

/**
 * The best `size` places by what they and their neighbours mention; of equals the newest. `isGrouped`
 * tells the places that have neighbours: the numbers beside them.
 */
export function shortlist(
  masses: ReadonlyMap<number, number>,
  isGrouped: (place: number) => boolean,
  size: number,
): number[] {
  if (masses.size <= size) return [...masses.keys()]
  const places = Float64Array.from(masses.keys())
  const sums = Float64Array.from(places, place =>
    isGrouped(place) ? smoothedMass(masses, place) : (masses.get(place) ?? 0),
  )
  const threshold = Float64Array.from(sums).sort()[sums.length - size] ?? 0
  const above = places.filter((_, at) => (sums[at] ?? 0) > threshold)
  const equal = places.filter((_, at) => sums[at] === threshold).sort()
  return [...above, ...equal.subarray(equal.length - (size - above.length))]
}

function smoothedMass(masses: ReadonlyMap<number, number>, place: number): number {
  let sum = masses.get(place) ?? 0
  for (let step = 1; step <= NEIGHBOUR_REACH; step++) {
    sum += ((masses.get(place - step) ?? 0) + (masses.get(place + step) ?? 0)) / 2 ** step
  }
  return sum
}
