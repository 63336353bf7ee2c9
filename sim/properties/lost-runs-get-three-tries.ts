import type { BisectionId, EventOf, GroupId, Millis, TestRun } from '../../engine/index.ts'
import { isSameOrder, remainingOf } from './model/history.ts'
import { retriesAtMost, retryAt } from './model/retries.ts'
import type { RunRecord } from './model/test-runs.ts'
import type { Property } from './property.ts'
import { minute, pullRequests } from './telling.ts'
import { booksOf, judgeInto, watcher, type Seen } from './watching.ts'

type Lost = { readonly record: RunRecord; readonly againAt: Millis }

/**
 * Spec, "A run ends" (errored). A lost run is no verdict: it is made again, the same thing, and
 * counts as failed only when the third was lost. Who restarts for another reason starts over.
 */
export const lostRunsGetThreeTries: Property = {
  name: 'lost-runs-get-three-tries',
  sentence:
    'A run that the runner lost is made again of the same composition, after 1 and after 5 minutes, and counts as failed only the third time.',
  watch(setting, findings) {
    const books = booksOf(setting)
    const judge = judgeInto(findings)
    const inTheLine = new Map<GroupId, Lost>()
    const inBisections = new Map<BisectionId, readonly Lost[]>()

    const lostOf = ({ owner }: TestRun): readonly Lost[] => {
      if (owner.kind === 'bisection') return inBisections.get(owner.bisection) ?? []
      const lost = inTheLine.get(owner.group)
      return lost ? [lost] : []
    }
    /** What has landed since counts the same as when it was below. */
    const isSameAs = ({ record }: Lost, run: TestRun): boolean => {
      if (run.owner.kind === 'bisection') return record.whole === books.runs.wholeOf(run)
      const contents = books.branch.contentsOf([...run.base, ...run.tested])
      const remaining = remainingOf(record, books.history)
      return remaining !== null && isSameOrder(record, remaining, contents)
    }
    const start = ({ run }: EventOf<'testRunStarted'>, seen: Seen): void => {
      const lost = lostOf(run).findLast((each) => isSameAs(each, run))
      if (!lost && run.attempt === 0) return
      const isNextTry = lost?.record.run.attempt === run.attempt - 1 && seen.at >= lost.againAt
      const lostBefore = lost
        ? `run ${lost.record.run.id}, due again at ${minute(lost.againAt)} as try ${lost.record.run.attempt + 2}`
        : 'no run that was lost'
      judge(isNextTry, seen, () => ({
        story: `Run ${run.id} started at ${minute(seen.at)} as try ${run.attempt + 1} of ${lostBefore}.`,
        pullRequests: run.tested,
      }))
    }
    /** Made again, or given up for something else: what was lost is over with. */
    const settle = (run: TestRun): void => {
      const { owner } = run
      if (owner.kind === 'main') {
        inTheLine.delete(owner.group)
        return
      }
      const others = lostOf(run).filter((lost) => !isSameAs(lost, run))
      if (inBisections.has(owner.bisection)) inBisections.set(owner.bisection, others)
    }
    const lose = (run: TestRun, seen: Seen): void => {
      const againAt = retryAt(run, seen.at)
      // The third time it counts as failed, and is no longer lost.
      if (againAt === null) return
      const record = books.runs.find(run.id)
      if (!record) return
      const lost = { record, againAt }
      const { owner } = run
      if (owner.kind === 'main') inTheLine.set(owner.group, lost)
      // One that is over has nothing made again; kept, it would hold the branch back to its floor.
      else if (inBisections.has(owner.bisection)) {
        inBisections.set(owner.bisection, [...lostOf(run), lost])
      }
    }

    return watcher(setting, {
      on: {
        testRunStarted(event, seen) {
          start(event, seen)
          settle(event.run)
        },
        testRunFinished({ testRun, outcome }, seen) {
          const run = books.runs.underWay.get(testRun)?.run
          if (run && outcome === 'errored') lose(run, seen)
        },
        groupFailed({ group, testRun, reason }, seen) {
          if (reason !== 'START_TEST_RUN_RETRY_EXHAUSTED') return
          const tries = (books.runs.find(testRun)?.run.attempt ?? 0) + 1
          judge(tries > retriesAtMost, seen, () => ({
            story: `${pullRequests(books.line.group(group)?.members ?? [])} failed for the lost run ${testRun} after ${tries} tries.`,
            pullRequests: books.line.group(group)?.members ?? [],
          }))
        },
        // Whatever else it restarts for, it is asked anew, and its tries are counted anew.
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
    })
  },
}
