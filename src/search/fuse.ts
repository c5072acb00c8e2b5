/** Joins ranked lists that have no common scale: each gives an id 1 / (60 + its rank). */

/** From Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", 2009. */
const RANK_OFFSET = 60

/** Ids of all lists, best first; equal sums keep the order of the lists. No id comes twice. */
export function fuseByRank(lists: readonly (readonly string[])[]): string[] {
  const sums = new Map<string, number>()
  for (const list of lists) {
    for (const [rank, id] of [...new Set(list)].entries()) {
      sums.set(id, (sums.get(id) ?? 0) + 1 / (RANK_OFFSET + rank + 1))
    }
  }
  return [...sums].sort(([, a], [, b]) => b - a).map(([id]) => id)
}
