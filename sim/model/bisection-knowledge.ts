/** Chapter "Bisection": what is known about prefixes of the open members (E-72, E-73, E-78). */

import { isOnlyFlakes } from './flakes.ts'
import { isSame } from './groups.ts'
import type { Bisection, Content, Model, PullRequest, Result, Run } from './state.ts'

/** E-72: the pinned tip, the proven members that have not merged, and these. */
const compositionOf = (of: Bisection, tested: readonly PullRequest[]): Content[] => {
  return [...of.branch, ...of.inLine, ...of.proven, ...tested]
}

/** E-78: the result of this composition within this bisection. */
export function findingOn(of: Bisection, tested: readonly PullRequest[]): Result | undefined {
  const contents = compositionOf(of, tested)
  return of.findings.find((each) => isSame(each.contents, contents))
}

const prefixesOf = ({ open }: Bisection): (readonly PullRequest[])[] =>
  open.map((_, at) => open.slice(0, at + 1))

/** The longest prefix that passes, and the shortest failing one beyond it; 0 members for none. */
export function knownOf(bisection: Bisection) {
  const findings = prefixesOf(bisection).map((tested) => findingOn(bisection, tested))
  const passing = findings.findLastIndex((each) => each?.reason === null) + 1
  const failing = findings.findIndex((each, at) => at >= passing && each) + 1
  return { passing, pass: findings[passing - 1], failing, fail: findings[failing - 1] }
}

/** E-81, E-85: a run matters while it tests a prefix of the open members. */
export const matters = (bisection: Bisection, { contents }: Run): boolean =>
  prefixesOf(bisection).some((tested) => isSame(compositionOf(bisection, tested), contents))

/** E-73, E-83: the search waits for retries, and for runs under way that matter. */
export function isWaiting(model: Model, bisection: Bisection): boolean {
  const { fail, failing } = knownOf(bisection)
  const underWay = model.runs.filter((run) => run.of === bisection && matters(bisection, run))
  // E-141: it goes on beside a second look until its verdict decides.
  const decides = fail && (failing === 1 || isOnlyFlakes(model, fail)) ? fail : null
  return (
    bisection.retries.length > 0 ||
    underWay.some(({ contents }) => {
      const known = bisection.findings.find((each) => isSame(each.contents, contents))
      return !known || known === decides
    })
  )
}
