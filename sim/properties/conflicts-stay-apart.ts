import type { TestRun } from '../../engine/index.ts'
import type { Property } from './property.ts'
import { booksOf, judgeInto, watcher, type Seen } from './watching.ts'

/**
 * Spec, "A run ends" (can't be built). What the code host has reported not to merge as text can't
 * be in one composition: not in a run, and not with what is on the branch.
 */
export const conflictsStayApart: Property = {
  name: 'conflicts-stay-apart',
  sentence: 'No run holds two pull requests that are known not to merge as text.',
  watch(setting, findings) {
    const { truth } = setting
    const judge = judgeInto(findings)
    const books = booksOf(setting)
    const reported = new Map<number, Set<number>>()
    const report = (a: number, b: number): void => {
      reported.set(a, (reported.get(a) ?? new Set()).add(b))
    }

    const isHeld = ({ tested, base, owner }: TestRun, other: number): boolean =>
      tested.includes(other) ||
      base.includes(other) ||
      (owner.kind === 'main' && books.truly.holds(other))
    const look = (run: TestRun, number: number, others: Iterable<number>, seen: Seen): void => {
      for (const other of others) {
        if (!truth.conflict(number, other)) continue
        judge(!isHeld(run, other), seen, () => ({
          story: `Run ${run.id} was made of ${number} and ${other}, which do not merge as text.`,
          pullRequests: [number, other],
        }))
      }
    }

    return watcher(setting, {
      on: {
        pullRequestReported({ number, conflictsWith = [] }) {
          for (const other of conflictsWith) {
            report(number, other)
            report(other, number)
          }
        },
        testRunStarted({ run }, seen) {
          for (const number of run.tested) {
            const others = reported.get(number)
            if (others) look(run, number, others, seen)
          }
        },
      },
    })
  },
}
