import { testKey, type Millis, type PullRequestMoved, type TestRunId } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import { toMillis } from '../scenario/time.ts'
import type { Point } from '../steps/step.ts'

type Entry = { readonly since: Millis; readonly until: Millis }

/**
 * Rules: E-270, E-271, E-272, E-277. What is in the list and until when is known from the beginning of the run and from the
 * commands alone. A recording does not know the beginning.
 */
export const quarantineIsKept: Property = {
  name: 'quarantine-is-kept',
  sentence:
    'A run in which tests failed passes if and only if each of them is in quarantine at that instant, every merge that leans on such a run names them and is counted, and nothing enters the list without a command.',
  watch({ check, inputs, knowsTruth }) {
    if (!knowsTruth) return null
    const entries = new Map<string, Entry>()
    for (const { test, until } of inputs?.scenario.quarantine ?? []) {
      entries.set(test, { since: 0, until: until === undefined ? Infinity : toMillis(until) })
    }
    /** The tests that failed in the runs that passed nevertheless. */
    const leaning = new Map<TestRunId, readonly string[]>()
    let merges = 0

    const judgeMove = (
      { number, testRun, quarantined = [] }: PullRequestMoved,
      point: Point,
    ): void => {
      const right = testRun === null ? [] : (leaning.get(testRun) ?? [])
      check(right.join() === quarantined.join(), point, () => ({
        story: `Pull request ${number} passed by run ${testRun ?? 0} in spite of ${right.join() || 'nothing'}, and its move names ${quarantined.join() || 'nothing'}.`,
        pullRequests: [number],
      }))
    }
    return {
      isActive: () => entries.size > 0,
      on: {
        testQuarantined({ test, entry: { since, until = Infinity } }, point) {
          const before = entries.get(test)?.since ?? point.at
          const isAsked = point.step.command.type === 'quarantineTest'
          check(isAsked && since === before, point, () => ({
            story: `Test ${test} is in quarantine since ${since}, ${isAsked ? `and not ${before}` : 'and nobody asked for it'}.`,
            pullRequests: [],
          }))
          entries.set(test, { since, until })
        },
        testReleased: ({ test }) => void entries.delete(test),
        testRunFinished({ testRun, outcome, failedTests, quarantined }, point) {
          const tests = failedTests.map(testKey)
          if (quarantined) leaning.set(testRun, tests)
          if (!quarantined && outcome !== 'failed') return
          const isExcused = tests.every((test) => point.at < (entries.get(test)?.until ?? 0))
          const passes = tests.length > 0 && isExcused
          check(passes === (quarantined === true), point, () => ({
            story: `Run ${testRun} ${outcome}, and of the tests that failed (${tests.join()}) ${isExcused ? 'all' : 'not all'} are in quarantine.`,
            pullRequests: [],
          }))
        },
        pullRequestMoved(event, point) {
          const { to, quarantined } = event
          if (entries.size === 0 && !quarantined) return
          if (to === 'TESTS_PASSED' || to === 'MERGED') judgeMove(event, point)
          if (to === 'MERGED' && quarantined) merges++
        },
      },
      atEnd({ quarantine }, last) {
        const counted = quarantine?.merges ?? 0
        if (!last || (counted === 0 && merges === 0)) return
        check(counted === merges, last, () => ({
          story: `${merges} merges leaned on tests in quarantine, and ${counted} are counted.`,
          pullRequests: [],
        }))
      },
    }
  },
}
