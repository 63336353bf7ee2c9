/** The combinations of the axes, in the order of their distance from today's setting. */

import { badUsage } from '../../../terminal/options.ts'
import type { AxisValue, TuneAxis } from './axes.ts'
import type { Candidate, CandidateSource } from './candidates.ts'

/** More combinations are a mistake in the command. */
const mostCombinations = 100_000

export type CandidateLimits = {
  readonly most: number
  readonly isAllowed: (candidate: Candidate) => boolean
}

/**
 * Returns all combinations of the axes that act differently, today's first and its nearest
 * neighbours next: at most so many, and only those that may be advised, besides today's.
 */
export function candidatesOf(
  made: CandidateSource,
  axes: readonly TuneAxis[],
  { most, isAllowed }: CandidateLimits,
): Candidate[] {
  const rows = combinations(axes).map((row) => ({ row, steps: stepsFrom(made.today, axes, row) }))
  const nearest = rows.toSorted((a, b) => a.steps - b.steps).map(({ row }) => row)
  const found = new Map([[made.today.key, made.today]])
  for (const row of nearest) {
    if (found.size >= most) break
    const candidate = made.with(
      Object.fromEntries(row.flatMap(({ assignments }) => Object.entries(assignments))),
    )
    if (!found.has(candidate.key) && isAllowed(candidate)) found.set(candidate.key, candidate)
  }
  return [...found.values()]
}

/** How many steps on the ladders a combination is away from today's setting. */
function stepsFrom(
  { labels }: Candidate,
  axes: readonly TuneAxis[],
  row: readonly AxisValue[],
): number {
  return axes.reduce((sum, { name, values }, index) => {
    const at = values.findIndex(({ label }) => label === row[index]?.label)
    const today = values.findIndex(({ label }) => label === labels[name])
    return sum + Math.abs(at - Math.max(0, today))
  }, 0)
}

/** Returns all combinations of values, one value per axis. The last axis varies fastest. */
export function combinations(axes: readonly TuneAxis[]): readonly (readonly AxisValue[])[] {
  const size = axes.reduce((product, { values }) => product * values.length, 1)
  if (size > mostCombinations) {
    throw badUsage('tune', `${size} combinations`, `at most ${mostCombinations}`)
  }
  return axes.reduce<readonly (readonly AxisValue[])[]>(
    (rows, { values }) => rows.flatMap((row) => values.map((value) => [...row, value])),
    [[]],
  )
}
