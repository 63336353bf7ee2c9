import type { TestRun } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'

/**
 * Rules: E-66, E-67. Two pull requests that the code host has reported to conflict as text cannot
 * be in one composition: not in a run together, and not in a run when the other is on the branch.
 */
export const conflictsStayApart: Property = {
  name: 'conflicts-stay-apart',
  sentence: 'No run holds two pull requests that are known to conflict as text.',
  watch({ check, ledger, truth }) {
    const reported = new Map<number, Set<number>>()
    const report = (a: number, b: number): void => {
      reported.set(a, (reported.get(a) ?? new Set()).add(b))
    }

    const isHeld = ({ tested, base, owner }: TestRun, other: number): boolean =>
      tested.includes(other) ||
      base.includes(other) ||
      (owner.kind === 'main' && ledger.trueBranch.holds(other))
    const checkRun = (
      run: TestRun,
      number: number,
      others: Iterable<number>,
      point: Point,
    ): void => {
      for (const other of others) {
        if (!truth.conflict(number, other)) continue
        check(!isHeld(run, other), point, () => ({
          story: `Run ${run.id} was made of ${number} and ${other}, which conflict as text.`,
          pullRequests: [number, other],
        }))
      }
    }

    return {
      isActive: () => reported.size > 0,
      on: {
        pullRequestReported({ number, conflictsWith = [] }) {
          for (const other of conflictsWith) {
            report(number, other)
            report(other, number)
          }
        },
        testRunStarted({ run }, point) {
          for (const number of run.tested) {
            const others = reported.get(number)
            if (others) checkRun(run, number, others, point)
          }
        },
      },
    }
  },
}
