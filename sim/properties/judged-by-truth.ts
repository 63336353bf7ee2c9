import type { EventOf } from '../../engine/index.ts'
import { pastBranch } from './model/past-branch.ts'
import type { RunRecord } from './model/test-runs.ts'
import type { Property } from './property.ts'
import { listed } from './telling.ts'
import { booksOf, judgeByTruth, watcher, type Seen } from './watching.ts'

/**
 * Spec, safety 2; that nobody is merged who breaks the branch is trunk-stays-green's to watch.
 *
 * Whoever FAILED for its tests must break what it was put on: everything that the convicting run
 * held below it passes, and fails with it. That holds where pull requests break only together or
 * mend each other, too: a search for the first failing prefix shows exactly this of the culprit,
 * though in another order somebody else might have been it. The one excuse is a branch broken
 * before (by a merge by hand or one that the specification excepts): no tests can tell then. In
 * parallel mode that is the branch on which the run was made, which may hold half a batch of
 * another lane; and there optimistic merging lets in what another lane mends, so that who was put
 * on it without the mending fails for it.
 */
export const judgedByTruth: Property = {
  name: 'judged-by-truth',
  sentence:
    'With honest tests a pull request is FAILED only if it breaks what it was put on, and for a conflict only if it has one.',
  watch(setting, findings) {
    const { truth, hasHonestTests } = setting
    const books = booksOf(setting)
    const judge = judgeByTruth(findings, books)
    const past = pastBranch(truth, books)
    const conflicts = new Map<number, Set<number>>()
    /** Called passed on the word of a run on top of them. */
    const cleared = new Set<number>()
    /** Refused by the code host in this command: its word, not the engine's. */
    let refused: number | null = null

    const wasBrokenBefore = ({ run, withoutLast }: RunRecord, number: number): boolean => {
      const bisected = books.bisections.of(number)
      if (bisected) return past.wouldBreak(bisected.tip, [])
      const hasLanes = books.settings.configuration.mode === 'parallel'
      if (hasLanes && past.wouldBreak(run.tip, [])) return true
      if (hasLanes && run.base.some((below) => cleared.has(below))) return true
      const { composition, number: tip } = books.branch
      return withoutLast === composition && past.wouldBreak(tip, [])
    }
    const failedItsTests = (number: number, failedIn: number, seen: Seen): void => {
      const record = books.runs.find(failedIn)
      if (!record || wasBrokenBefore(record, number)) return
      const { run } = record
      const held = [...run.base, ...run.tested]
      const below = held.slice(0, held.indexOf(number))
      const { tip } = run
      const isAtFault = !past.wouldBreak(tip, below) && past.wouldBreak(tip, [...below, number])
      judge(isAtFault, seen, () => ({
        story: `Pull request ${number} FAILED for run ${failedIn}, and does not break what it was put on: tip ${tip} with ${listed(below)}.`,
        pullRequests: [number, ...below],
      }))
    }
    const failedForConflict = (number: number, seen: Seen): void => {
      if (refused === number) return
      const hasConflict = [...(conflicts.get(number) ?? [])].some(
        (other) => books.truly.holds(other) && truth.conflict(number, other),
      )
      judge(hasConflict, seen, () => ({
        story: `Pull request ${number} FAILED for a text conflict, and conflicts with nothing on the branch.`,
        pullRequests: [number],
      }))
    }
    const addConflict = (a: number, b: number): void => {
      const known = conflicts.get(a) ?? new Set()
      conflicts.set(a, known.add(b))
    }
    const isAboutTests = ({ reason }: EventOf<'pullRequestMoved'>): boolean =>
      reason === 'TEST_RUN_REQUIRED_STATUS_FAILED' || reason === 'TEST_RUN_FAILED_BY_OPTIMIZATION'

    return watcher(setting, {
      on: {
        pullRequestReported({ number, conflictsWith = [] }) {
          for (const other of conflictsWith) {
            addConflict(number, other)
            addConflict(other, number)
          }
        },
        tipMoved: ({ number }) => past.land(number),
        groupPassed({ group, run }) {
          const isOwn = run.owner.kind === 'main' && run.owner.group === group
          const members = isOwn ? [] : (books.line.group(group)?.members ?? [])
          for (const number of members) cleared.add(number)
        },
        mergeRefused: ({ number }) => void (refused = number),
        pullRequestEnded(event, seen) {
          const { number, to, reason, evidence } = event
          if (to !== 'FAILED') return
          if (reason === 'START_TEST_RUN_MERGE_CONFLICT') failedForConflict(number, seen)
          const failedIn = evidence?.failedIn ?? null
          if (!hasHonestTests || failedIn === null || !isAboutTests(event)) return
          failedItsTests(number, failedIn, seen)
        },
      },
      atCommand() {
        refused = null
      },
    })
  },
}
