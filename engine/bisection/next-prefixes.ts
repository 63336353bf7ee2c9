/**
 * Which prefixes of its open members a bisection tests next.
 *
 * Source: spec "Bisection" (split sizes, k-way with free slots, the bound of 2n - 1 runs).
 */

import type { BisectionView, QueueView } from '../model/state.ts'
import { isOnlyKnownFlakes } from './confirmation.ts'
import { bestFirst } from './group-testing.ts'
import { knowledgeOf } from './knowledge.ts'

/** The failure rate of this queue, as far as it has shown one. */
function failureRate(queue: QueueView): number {
  return (1 + queue.judged.failed) / (10 + queue.judged.count)
}

/**
 * The lengths of the prefixes to run now, with `slots` > 0 free slots; ascending, never empty.
 * Call it when no run under way can change what is known and something is open.
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

/** The optimal nested policy, kept from ever spending more than 2n - 1 runs on a batch of n. */
function oneAtATime(queue: QueueView, bisection: BisectionView, failing: number | null): number {
  const undecided = bisection.open.length
  const isAffordable = bisection.runsSpent + 1 + undecided <= 2 * bisection.size - 1
  if (!isAffordable) return 1
  return bestFirst(failureRate(queue), failing ?? undecided, failing !== null)
}

/**
 * Up to `slots` prefixes, evenly apart. In a failing set of `size` the whole is known to fail, so
 * `most` is one less and the cuts divide it; in an unknown rest the whole is one of the prefixes.
 */
function spread(most: number, size: number, slots: number): number[] {
  const count = Math.min(slots, most)
  const parts = most === size ? count : count + 1
  const lengths: number[] = []
  for (let cut = 1; cut <= count; cut++) lengths.push(Math.ceil((cut * size) / parts))
  return lengths.map((length) => Math.min(length, most))
}
