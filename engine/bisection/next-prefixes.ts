/**
 * Decides which prefixes of its open members a bisection tests next.
 *
 * Rules: E-75, E-76, E-77.
 */

import { failureRate } from '../model/failure-rate.ts'
import type { BisectionView, QueueView } from '../model/state.ts'
import { isOnlyKnownFlakes } from './confirmation.ts'
import { bestFirst } from './group-testing.ts'
import { knowledgeOf } from './knowledge.ts'

/**
 * Returns the lengths of the prefixes to run now, ascending and at least one, for `slots` > 0 free
 * slots. Call it only if a member is open and no run in progress can change what is known.
 */
export function nextPrefixes(queue: QueueView, bisection: BisectionView, slots: number): number[] {
  const { failing } = knowledgeOf(bisection)
  if (failing && isOnlyKnownFlakes(queue, failing.verdict)) return [failing.length]
  if (failing?.length === 1) return [1]
  const undecided = bisection.open.length
  if (slots === 1) return [oneAtATime(queue, bisection, failing?.length ?? null)]
  return failing
    ? spread(failing.length - 1, failing.length, slots)
    : spread(undecided, undecided, slots)
}

/** The optimal nested policy, limited to 2n - 1 runs for a batch of n. */
function oneAtATime(queue: QueueView, bisection: BisectionView, failing: number | null): number {
  const undecided = bisection.open.length
  const isAffordable = bisection.runsSpent + 1 + undecided <= 2 * bisection.size - 1
  if (!isAffordable) return 1
  return bestFirst(failureRate(queue), failing ?? undecided, failing !== null)
}

/**
 * Up to `slots` prefixes with even distances. If a set of `size` is known to fail, the whole set is
 * not among the prefixes, so `most` is `size` - 1. If nothing is known, `most` is `size`.
 */
function spread(most: number, size: number, slots: number): number[] {
  const count = Math.min(slots, most)
  const parts = most === size ? count : count + 1
  const lengths: number[] = []
  for (let cut = 1; cut <= count; cut++) lengths.push(Math.ceil((cut * size) / parts))
  return lengths.map((length) => Math.min(length, most))
}
