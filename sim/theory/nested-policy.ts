/**
 * The optimal nested policy, given the truth and the true failure rate: what no bisection that
 * tests one prefix at a time can beat on average. The batch itself runs whole first.
 */

import { groupTestingTable, type GroupTestingTable } from '../../engine/index.ts'

/** Runs that the policy spends on batches of `size` at rate `p`; make it once, ask it often. */
export function nestedPolicy(p: number, size: number): (breaks: readonly boolean[]) => number {
  const table = groupTestingTable(p, size)
  return (breaks) => (breaks.includes(true) ? 1 + search(table, breaks, breaks.length) : 1)
}

/** Runs to settle everybody, `failing` of whom are known to fail together (0: nothing is known). */
function search(table: GroupTestingTable, breaks: readonly boolean[], failing: number): number {
  if (breaks.length === 0) return 0
  // The only one left of a failing range is the culprit, without a run.
  if (failing === 1) return search(table, breaks.slice(1), 0)
  const firsts = failing > 0 ? table.firstOfFailing : table.firstOfUnknown
  const length = firsts[failing > 0 ? failing : breaks.length] ?? 1
  return breaks.slice(0, length).includes(true)
    ? 1 + search(table, breaks, length)
    : 1 + search(table, breaks.slice(length), Math.max(0, failing - length))
}
