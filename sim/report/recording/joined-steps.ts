/** Longer steps of the depth, for a table and for tooltips. */

import type { DepthStep, PhaseCounts } from './depth.ts'
import { phases } from './phase.ts'

/** Joins neighbours, so that at most `wanted` steps are left. */
export function joinedSteps(steps: readonly DepthStep[], wanted: number): DepthStep[] {
  const size = Math.max(1, Math.ceil(steps.length / wanted))
  const starts = steps.filter((_, index) => index % size === 0)
  return starts.map(({ from }, index) => {
    const some = steps.slice(index * size, (index + 1) * size)
    const to = some.at(-1)?.to ?? from
    return { from, to, means: meansOf(some, to - from), most: Math.max(...some.map(mostOf)) }
  })
}

const mostOf = ({ most }: DepthStep): number => most

/** A step counts as long as it lasts. */
function meansOf(steps: readonly DepthStep[], length: number): PhaseCounts {
  const sums = { notReady: 0, waiting: 0, testing: 0, passed: 0, held: 0, bisecting: 0 }
  for (const { from, to, means } of steps)
    for (const phase of phases) sums[phase] += (means[phase] * (to - from)) / length
  return sums
}
