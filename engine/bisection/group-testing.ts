/**
 * Decides which prefixes of its open members a bisection tests next.
 *
 * Rules: E-75, E-76, E-77.
 */

import { firstIndex } from '../model/first-index.ts'
import { failureRate } from '../model/policy.ts'
import type { BisectionView, QueueView } from '../model/state.ts'
import { isOnlyKnownFlakes } from './confirmation.ts'
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

// The optimal nested group test: how many members of an ordered set to test together next.
//
// The model fits a queue: each member fails independently with probability p, a set fails if any
// member fails, and only prefixes are tested. With q = 1 - p:
//
// - search(m) is the expected number of runs to find the first bad member of m members, of which at
//   least one is bad. Testing the first x members leads to search(x) or to search(m - x).
// - settle(n) is the expected number of runs to settle n members about which nothing is known. Test
//   the first x members. If they pass, settle(n - x) remains. If they fail, search(x) remains, and
//   then settle(n - k) for the members behind the culprit at position k.
//
// The members behind a culprit are as unknown as before, so search does not depend on them. That
// makes the table quadratic to compute. Sobel and Groll 1959, procedure R1.

export type GroupTestingTable = {
  /** By size n: length of the best first test, if nothing is known. Entry 0 is unused. */
  readonly firstOfUnknown: readonly number[]
  /** By size m: length of the best first test of a failing set. Entries 0 and 1 are unused. */
  readonly firstOfFailing: readonly number[]
  /** By size n: expected number of runs to settle n members, if nothing is known. */
  readonly settleRuns: readonly number[]
  /** By size m: expected number of runs to find the first bad member of a failing set. */
  readonly searchRuns: readonly number[]
}

/** For larger sets the best first test changes only at very low rates: they are tested like this size. */
const largestTable = 512

/** The ratio of neighbouring rates on the grid. A finer grid gives no better tests. */
const gridRatio = 1.02

/** Computes the table for sets of up to `size` members with failure rate `p`, 0 < p < 1. */
export function groupTestingTable(p: number, size: number): GroupTestingTable {
  const q = 1 - p
  const pass = [1]
  for (let n = 1; n <= size; n++) pass.push((pass[n - 1] ?? 0) * q)
  const passes = (n: number): number => pass[n] ?? 0

  const searchRuns = [0, 0]
  const firstOfFailing = [0, 0]
  for (let m = 2; m <= size; m++) {
    const [first, runs] = least(m - 1, (x) => {
      const failsFirst = (1 - passes(x)) / (1 - passes(m))
      return 1 + failsFirst * at(searchRuns, x) + (1 - failsFirst) * at(searchRuns, m - x)
    })
    firstOfFailing.push(first)
    searchRuns.push(runs)
  }

  const settleRuns = [0]
  const firstOfUnknown = [0]
  for (let n = 1; n <= size; n++) {
    let behindCulprit = 0
    const [first, runs] = least(n, (x) => {
      behindCulprit += passes(x - 1) * p * at(settleRuns, n - x)
      return (
        1 + passes(x) * at(settleRuns, n - x) + (1 - passes(x)) * at(searchRuns, x) + behindCulprit
      )
    })
    firstOfUnknown.push(first)
    settleRuns.push(runs)
  }
  return { firstOfUnknown, firstOfFailing, settleRuns, searchRuns }
}

const tables = new Map<number, GroupTestingTable>()

/**
 * The table for the first grid rate that is at least `p`, computed once per rate and size class.
 */
function tableFor(p: number, size: number): GroupTestingTable {
  const step = gridStep(p)
  const known = tables.get(step)
  if (known && (known.settleRuns.length > size || known.settleRuns.length > largestTable)) {
    return known
  }
  let sizeClass = 32
  while (sizeClass < size && sizeClass < largestTable) sizeClass *= 2
  const table = groupTestingTable(rateAt(step), sizeClass)
  tables.set(step, table)
  return table
}

/**
 * Returns how many of `size` members to test first, at failure rate `p`. `isFailing`: they are
 * known to fail together.
 */
export function bestFirst(p: number, size: number, isFailing: boolean): number {
  const table = tableFor(p, size)
  const first = isFailing ? table.firstOfFailing : table.firstOfUnknown
  return Math.max(1, at(first, Math.min(size, first.length - 1)))
}

/** Built by multiplication only, so that it is the same on every machine. */
const gridRates: readonly number[] = (() => {
  const rates: number[] = []
  for (let rate = 0.001; rate < 0.95; rate *= gridRatio) rates.push(rate)
  return rates
})()

const gridStep = (p: number): number =>
  firstIndex(0, gridRates.length - 1, (step) => at(gridRates, step) >= p)

const rateAt = (step: number): number => at(gridRates, step)

const at = (table: readonly number[], index: number): number => table[index] ?? 0

/** The x in 1..most with the lowest cost (the smallest x on a tie), and that cost. */
function least(most: number, cost: (x: number) => number): [number, number] {
  let best = 1
  let bestCost = Infinity
  for (let x = 1; x <= most; x++) {
    const candidate = cost(x)
    if (candidate < bestCost) {
      best = x
      bestCost = candidate
    }
  }
  return [best, bestCost]
}
