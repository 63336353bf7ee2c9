/** Merges the summaries of soaks with different seeds. The result equals the summary of one soak. */

import { refuseUnfit } from '../campaign/parts/part.ts'
import type { SeedRange } from '../random/seeds.ts'
import { BadInput } from '../scenario/bad-input.ts'
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

/** A summary, and the file that it came from. */
export type NamedSummary = { readonly file: string; readonly summary: SoakSummary }

/** Throws `BadInput` if one summary is a part, unless all are the parts of one soak. */
export function refuseLooseParts(summaries: readonly NamedSummary[]): void {
  const parts = summaries.flatMap(({ file, summary: { part } }) => (part ? [{ file, part }] : []))
  const whole = summaries.find(({ summary }) => summary.part === undefined)
  if (parts.length > 0 && whole) {
    const expected = `a part that has run to its end, as ${parts[0]?.file}`
    const actual = 'none: run its part to the end, or merge it with other whole soaks'
    throw new BadInput(whole.file, [{ where: '/part', expected, actual }])
  }
  refuseUnfit(parts)
}

/** Merges summaries in any order. They must not overlap: check with `overlapOf` first. */
export function mergedSoaks(summaries: readonly SoakSummary[]): SoakSummary {
  const totals = new SoakTotals()
  for (const summary of summaries) totals.addSummary(summary)
  return totals.summary()
}
