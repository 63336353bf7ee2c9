import type { BisectionId, EventOf, GroupId, Millis, TestRun } from '../../engine/index.ts'
import { testsAPrefix } from '../ledger/bisections.ts'
import { isSameOrder, remainingOf } from '../ledger/history.ts'
import { retriesAtMost, retryAt } from '../ledger/retries.ts'
import type { RunRecord } from '../ledger/test-runs.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute, pullRequests } from './wording.ts'

type LostRun = { readonly record: RunRecord; readonly againAt: Millis }

/**
 * Rules: E-61, E-63, E-83. A lost run is no verdict: the same composition is run again, and counts
 * as failed only when the third run was lost. A group that restarts for another reason has three
 * new tries.
 */
export const lostRunsGetThreeTries: Property = {
  name: 'lost-runs-get-three-tries',
  sentence:
    'A run that the runner lost is repeated with the same composition, after 1 and after 5 minutes, and counts as failed only the third time.',
  watch({ check, ledger }) {
    const inTheLine = new Map<GroupId, LostRun>()
    const inBisections = new Map<BisectionId, readonly LostRun[]>()

    const lostOf = ({ owner }: TestRun): readonly LostRun[] => {
      if (owner.kind === 'bisection') return inBisections.get(owner.bisection) ?? []
      const lost = inTheLine.get(owner.group)
      return lost ? [lost] : []
    }
    /** A commit that has landed since then counts as if it were still in the base. */
    const isSameAs = ({ record }: LostRun, run: TestRun): boolean => {
      if (run.owner.kind === 'bisection')
        return record.fullComposition === ledger.runs.fullCompositionOf(run)
      const contents = ledger.branch.contentsOf([...run.base, ...run.tested])
      const remaining = remainingOf(record, ledger.history)
      return remaining !== null && isSameOrder(record, remaining, contents)
    }
    const start = ({ run }: EventOf<'testRunStarted'>, point: Point): void => {
      const lost = lostOf(run).findLast((each) => isSameAs(each, run))
      if (!lost && run.attempt === 0) return
      const isNextTry = lost?.record.run.attempt === run.attempt - 1 && point.at >= lost.againAt
      const expected = lost
        ? `run ${lost.record.run.id}, which was lost, is due at ${minute(lost.againAt)} as try ${lost.record.run.attempt + 2}`
        : 'no run was lost before it'
      check(isNextTry, point, () => ({
        story: `Run ${run.id} started at ${minute(point.at)} as try ${run.attempt + 1}, but ${expected}.`,
        pullRequests: run.tested,
      }))
    }
    /** The lost run has been repeated, or replaced by another one. */
    const settle = (run: TestRun): void => {
      const { owner } = run
      if (owner.kind === 'main') {
        inTheLine.delete(owner.group)
        return
      }
      const others = lostOf(run).filter((lost) => !isSameAs(lost, run))
      if (inBisections.has(owner.bisection)) inBisections.set(owner.bisection, others)
    }
    const lose = (run: TestRun, point: Point): void => {
      const againAt = retryAt(run, point.at)
      // The third time it counts as failed, not as lost.
      if (againAt === null) return
      const record = ledger.runs.find(run.id)
      if (!record) return
      const lost = { record, againAt }
      const { owner } = run
      if (owner.kind === 'main') {
        inTheLine.set(owner.group, lost)
        return
      }
      // Not repeated if all that it tests is decided, or if its bisection has ended.
      const bisection = ledger.bisections.all.get(owner.bisection)
      if (!bisection || !testsAPrefix(bisection, record.fullComposition)) return
      inBisections.set(owner.bisection, [...lostOf(run), lost])
    }
    /** What a lost run tests can be open again later; then it has three new tries. */
    const decide = ({ bisection, members }: EventOf<'membersProven'>): void => {
      const isOpen = ({ record }: LostRun): boolean =>
        !members.includes(record.run.tested.at(-1) ?? 0)
      const lost = inBisections.get(bisection) ?? []
      if (lost.length > 0) inBisections.set(bisection, lost.filter(isOpen))
    }

    return {
      on: {
        testRunStarted(event, point) {
          start(event, point)
          settle(event.run)
        },
        testRunFinished({ testRun, outcome }, point) {
          const run = ledger.runs.underWay.get(testRun)?.run
          // A second look that is given up is no try of a later run of the same composition.
          if (!run || outcome !== 'errored' || ledger.secondLooks.isGivenUp(run)) return
          lose(run, point)
        },
        groupFailed({ group, testRun, reason }, point) {
          if (reason !== 'START_TEST_RUN_RETRY_EXHAUSTED') return
          const tries = (ledger.runs.find(testRun)?.run.attempt ?? 0) + 1
          check(tries > retriesAtMost, point, () => ({
            story: `${pullRequests(ledger.line.group(group)?.members ?? [])} failed for the lost run ${testRun} after ${tries} tries.`,
            pullRequests: ledger.line.group(group)?.members ?? [],
          }))
        },
        membersProven: decide,
        // After a restart for any other reason, tries are counted from the start.
        groupRestarted({ group, reason }) {
          if (reason !== 'TEST_RUNNER_ERROR') inTheLine.delete(group)
        },
        groupLeft: ({ group }) => void inTheLine.delete(group),
        bisectionStarted({ bisection, group }) {
          inTheLine.delete(group)
          inBisections.set(bisection, [])
        },
        bisectionEnded: ({ bisection }) => void inBisections.delete(bisection),
      },
    }
  },
}
