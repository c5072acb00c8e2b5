/** The candidate that `word` was most likely meant to be, if any is close enough to be worth suggesting. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const close = Math.max(2, Math.floor(word.length / 3))
  const ranked = candidates
    .map(candidate => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= close)
    .sort((a, b) => a.distance - b.distance)
  return ranked[0]?.candidate
}

/** Insertions, deletions, replacements, and neighbours swapped. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (beforeLast[j - 2] ?? Infinity) + 1 : Infinity
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped))
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
