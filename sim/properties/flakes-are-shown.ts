import { testKey, type EventOf, type TestRunId } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'

/** A pass in spite of these tests shows a flake if others failed as well. */
const shows = (despite: readonly string[], failed: readonly string[]): boolean =>
  despite.length === 0 || failed.some((test) => !despite.includes(test))

/**
 * Rules: E-82, E-274, from both sides. That a longer prefix of a bisection passed shows no flake, because a
 * later member may repair an earlier one.
 */
export const flakesAreShown: Property = {
  name: 'flakes-are-shown',
  sentence:
    'A failure is contradicted if and only if the same composition passed within the last 100 verdicts, or a successor cleared its group; a pass in spite of tests in quarantine does so only for other tests.',
  watch({ check, ledger }) {
    const { queue } = ledger
    const contradicted = new Set<TestRunId>()
    /** Failures of this command that must be contradicted, each with the run that shows it. */
    const shownBy = new Map<TestRunId, TestRunId>()
    /** Failures of this command that the engine contradicted. */
    let said: TestRunId[] = []

    const learn = (event: EventOf<'verdictRecorded'>): void => {
      const { testRun, composition, outcome, failedTests } = event
      for (const other of queue.verdicts) {
        if (other.composition !== composition || other.outcome === outcome) continue
        if (outcome === 'failed') {
          if (shows(other.failedTests, failedTests)) shownBy.set(testRun, other.run)
        } else if (shows(failedTests, other.failedTests)) shownBy.set(other.run, testRun)
      }
    }
    const clear = ({ group: id, run }: EventOf<'groupPassed'>): void => {
      const phase = queue.groups[id]?.phase
      if (phase?.kind !== 'failed' || phase.aside) return
      if (shows(run.quarantined ?? [], phase.failedTests.map(testKey)))
        shownBy.set(phase.run.id, run.id)
    }

    return {
      on: {
        verdictRecorded: learn,
        groupPassed: clear,
        verdictContradicted({ testRun }) {
          said.push(testRun)
          contradicted.add(testRun)
        },
      },
      atRest(point) {
        for (const testRun of said) {
          check(shownBy.has(testRun), point, () => ({
            story: `The failure of run ${testRun} counts as a flake, but its composition has not passed and no successor cleared its group.`,
            pullRequests: ledger.run(testRun)?.run.tested ?? [],
          }))
        }
        for (const [testRun, passed] of shownBy) {
          check(contradicted.has(testRun), point, () => ({
            story: `The failure of run ${testRun} does not count as a flake, although run ${passed} contradicts it.`,
            pullRequests: ledger.run(testRun)?.run.tested ?? [],
          }))
        }
        if (said.length > 0) said = []
        if (shownBy.size > 0) shownBy.clear()
      },
    }
  },
}
