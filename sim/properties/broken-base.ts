import type { Projections } from '../ledger/ledger.ts'
import type { RunRecord } from '../ledger/test-runs.ts'
import type { EventHandlers } from '../steps/handlers.ts'

export type BrokenBase = {
  readonly on: EventHandlers
  /** Whether a run on top of it has cleared it, and none of its own. */
  isCleared(number: number): boolean
  /**
   * Whether a run was made on a broken branch or base, for a reason that the rules allow. No test can
   * show then which pull request breaks it.
   */
  isBelow(record: RunRecord): boolean
}

/** Whether the run tested a pull request that clashes with another lane. */
export function hasClash({ laneClashes }: Projections, { run }: RunRecord): boolean {
  return [...run.base, ...run.tested].some((number) => laneClashes.has(number))
}

/**
 * The branch on which the run was made may be broken: by a merge by hand, by one that E-111 excepts,
 * or by half a batch of another lane. The base of the run may be broken as well, if it holds one that
 * a person merged meanwhile, one that was merging while a person merged another, or one that a
 * successor cleared and another lane repairs.
 */
export function brokenBase(ledger: Projections): BrokenBase {
  const { past } = ledger
  const cleared = new Set<number>()
  /**
   * Merged by a person. Runs on top of them continue if they were the very next to merge (E-110). And
   * those whose merging had begun at that time: they merge untested on what the person merged.
   */
  const byHand = new Set<number>()
  return {
    on: {
      groupPassed({ group, run }) {
        const isOwn = run.owner.kind === 'main' && run.owner.group === group
        for (const number of ledger.line.group(group)?.members ?? []) {
          if (isOwn) cleared.delete(number)
          else cleared.add(number)
        }
      },
      pullRequestSubmitted({ number }) {
        cleared.delete(number)
      },
      tipMoved({ number }, { step }) {
        if (number === null || step.command.type !== 'reportManualMerge') return
        byHand.add(number)
        for (const { members, merging, isPartlyMerged } of ledger.line.groups) {
          if (merging === null && !isPartlyMerged) continue
          for (const member of members) byHand.add(member)
        }
      },
    },
    isCleared: (number) => cleared.has(number),
    isBelow({ run }) {
      if (past.wouldBreak(run.tip, [])) return true
      const isException = (other: number): boolean => cleared.has(other) || byHand.has(other)
      const below = [...run.base, ...run.tested.filter(isException)]
      return below.some(isException) && past.wouldBreak(run.tip, below)
    },
  }
}
