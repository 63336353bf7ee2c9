/**
 * The optimal nested policy, which knows the true failure rate. On average no bisection that tests
 * one prefix at a time needs fewer runs. The whole batch runs first.
 */

import { groupTestingTable, type GroupTestingTable } from '../../../engine/index.ts'

/**
 * Returns a function that counts the runs of the policy on a batch of `size` at failure rate `p`.
 * Create it once and call it often, because it computes a table.
 */
export function nestedPolicy(p: number, size: number): (breaks: readonly boolean[]) => number {
  const table = groupTestingTable(p, size)
  return (breaks) => (breaks.includes(true) ? 1 + search(table, breaks, breaks.length) : 1)
}

/** Runs to judge all members, if the first `failing` are known to fail (0: nothing is known). */
function search(table: GroupTestingTable, breaks: readonly boolean[], failing: number): number {
  if (breaks.length === 0) return 0
  // The only member of a failing range is the culprit and needs no run.
  if (failing === 1) return search(table, breaks.slice(1), 0)
  const firsts = failing > 0 ? table.firstOfFailing : table.firstOfUnknown
  const length = firsts[failing > 0 ? failing : breaks.length] ?? 1
  return breaks.slice(0, length).includes(true)
    ? 1 + search(table, breaks, length)
    : 1 + search(table, breaks.slice(length), Math.max(0, failing - length))
}
