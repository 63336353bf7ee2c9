/** Which settings survive a rung. */

/**
 * Returns the rank of each score; the least has rank 1. Of equal scores the first has the better
 * rank, because settings are listed by their distance from today's.
 */
export function ranksOf(scores: readonly number[]): number[] {
  const order = scores.map((score, index) => ({ score, index }))
  order.sort((a, b) => (a.score === b.score ? a.index - b.index : a.score - b.score))
  const ranks: number[] = []
  for (const [position, { index }] of order.entries()) ranks[index] = position + 1
  return ranks
}

/**
 * Returns the positions of the settings that survive, in ascending order: those with the best rank
 * under any wish. The first ranking, the preferred wish, decides between equals.
 */
export function survivors(rankings: readonly (readonly number[])[], keep: number): number[] {
  const [preferred = []] = rankings
  const bestOf = (index: number): number =>
    Math.min(...rankings.map((ranks) => ranks[index] ?? Infinity))
  return preferred
    .map((rank, index) => ({ index, rank, best: bestOf(index) }))
    .toSorted((a, b) => a.best - b.best || a.rank - b.rank)
    .slice(0, keep)
    .map(({ index }) => index)
    .toSorted((a, b) => a - b)
}
