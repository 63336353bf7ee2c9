/** Merges the summaries of soaks with different seeds. The result equals the summary of one soak. */

import type { SeedRange } from '../random/seeds.ts'
import type { SoakSummary } from './summary.ts'
import { SoakTotals } from './totals.ts'

/** Returns a range of seeds that two summaries contain and that would count twice, or null. */
export function overlapOf(summaries: readonly SoakSummary[]): SeedRange | null {
  const ranges = summaries.flatMap(({ ran }) => ran).sort((a, b) => a.from - b.from)
  for (const [index, range] of ranges.entries()) {
    const next = ranges[index + 1]
    if (next && next.from <= range.to) return { from: next.from, to: Math.min(range.to, next.to) }
  }
  return null
}

/** Merges summaries in any order. They must not overlap: check with `overlapOf` first. */
export function mergedSoaks(summaries: readonly SoakSummary[]): SoakSummary {
  const totals = new SoakTotals()
  for (const summary of summaries) totals.addSummary(summary)
  return totals.summary()
}
