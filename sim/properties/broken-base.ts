import type { Projections } from '../ledger/ledger.ts'
import type { RunRecord } from '../ledger/test-runs.ts'
import type { EventHandlers } from '../steps/handlers.ts'

export type BrokenBase = {
  readonly on: EventHandlers
  /** Whether a run on top of it has cleared it, and none of its own. */
  isCleared(number: number): boolean
  /**
   * Whether the branch below a pull request was broken, for a reason that the rules allow, when the
   * run tested it. No test can show then which pull request breaks it.
   */
  isBelow(record: RunRecord, number: number): boolean
}

/** Whether the run tested a pull request that clashes with another lane. */
export function hasClash({ laneClashes }: Projections, { run }: RunRecord): boolean {
  return [...run.base, ...run.tested].some((number) => laneClashes.has(number))
}

/**
 * The branch was broken before by a merge by hand, or by one that E-111 excepts. In parallel mode
 * that is the branch on which the run was made, which may hold half a batch of another lane. There,
 * optimistic merging may also merge a change that another lane repairs: a run on it without the
 * repair fails.
 */
export function brokenBase(ledger: Projections): BrokenBase {
  const { past } = ledger
  const cleared = new Set<number>()
  return {
    on: {
      groupPassed({ group, run }) {
        const isOwn = run.owner.kind === 'main' && run.owner.group === group
        for (const number of ledger.line.group(group)?.members ?? []) {
          if (isOwn) cleared.delete(number)
          else cleared.add(number)
        }
      },
      pullRequestSubmitted: ({ number }) => void cleared.delete(number),
    },
    isCleared: (number) => cleared.has(number),
    isBelow({ run, compositionBelow }, number) {
      const bisectionRecord = ledger.bisections.of(number)
      if (bisectionRecord) return past.wouldBreak(bisectionRecord.tip, [])
      const hasLanes = ledger.settings.configuration.mode === 'parallel'
      if (hasLanes && past.wouldBreak(run.tip, [])) return true
      const isOnCleared = hasLanes && run.base.some((below) => cleared.has(below))
      if (isOnCleared && past.wouldBreak(run.tip, run.base)) return true
      const { composition, number: tip } = ledger.branch
      return compositionBelow === composition && past.wouldBreak(tip, [])
    },
  }
}
