/** Chapter "Bisection": what is known about prefixes of the open members (E-72, E-73, E-78). */

import { prOf } from '../state/deeds.ts'
import type { Bisection, Content, Finding, Model, Run } from '../state/state.ts'
import { isSameContent } from '../line/verdicts.ts'
import { isOnlyFlakes } from './confirmation.ts'

/** E-72: proven members that have not merged are below every further run. */
export const baseOf = ({ inLine, proven }: Bisection): number[] => [...inLine, ...proven]

/** The composition of the pinned tip, the proven members and these. */
export function compositionOf(bisection: Bisection, tested: readonly number[]): Content[] {
  const numbers = [...baseOf(bisection), ...tested]
  return [...bisection.branch, ...numbers.map((number) => bisection.contentOf.get(number) ?? 0)]
}

/** E-78: the result of this composition within this bisection. */
export function findingOn(bisection: Bisection, tested: readonly number[]): Finding | undefined {
  const contents = compositionOf(bisection, tested)
  return bisection.findings.find((each) => isSameContent(each.contents, contents))
}

export type Known = {
  /** The longest prefix that passes. */
  readonly passing: number
  readonly pass: Finding | null
  /** The shortest failing prefix beyond it. */
  readonly failing: number
  readonly fail: Finding | null
}

export function knownOf(bisection: Bisection): Known {
  const findings = bisection.open.map((_, index) =>
    findingOn(bisection, bisection.open.slice(0, index + 1)),
  )
  const passing = findings.findLastIndex((each) => each?.passed === true) + 1
  const failing = findings.findIndex((each, at) => at >= passing && each?.passed === false) + 1
  return {
    passing,
    pass: findings[passing - 1] ?? null,
    failing,
    fail: findings[failing - 1] ?? null,
  }
}

/** E-81, E-85: a run matters while it tests a prefix of the open members. */
export function matters(bisection: Bisection, run: Run): boolean {
  return bisection.open.some((_, at) => isRunOf(bisection, bisection.open.slice(0, at + 1), run))
}

const isRunOf = (bisection: Bisection, tested: readonly number[], run: Run): boolean =>
  isSameContent(compositionOf(bisection, tested), run.contents)

/** E-73, E-83: the search waits for retries, and for runs under way that matter. */
export function isWaiting(model: Model, bisection: Bisection): boolean {
  const { retries, underWay, findings } = bisection
  if (retries.length > 0) return true
  return underWay.some((run) => {
    if (!matters(bisection, run)) return false
    const isSecond = findings.some(({ contents }) => isSameContent(contents, run.contents))
    if (!isSecond) return true
    // E-81: the search goes on beside a second look until its verdict decides.
    const { fail, failing } = knownOf(bisection)
    if (!fail || !isSameContent(fail.contents, run.contents)) return false
    return failing === 1 || isOnlyFlakes(model, fail)
  })
}

/** Whether this submission is open, proven, or proven and in the line. */
export function isMember(model: Model, bisection: Bisection, number: number): boolean {
  const isIn = [...baseOf(bisection), ...bisection.open].includes(number)
  return isIn && bisection.contentOf.get(number) === prOf(model, number).content
}
