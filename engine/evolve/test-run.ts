/** How events about test runs and their verdicts change the state. */

import { markOf } from '../model/ids.ts'
import type { Queue, TestRunId, TipTest } from '../model/state.ts'
import { soundFrom } from '../model/tip-test.ts'
import type { TipTested } from '../protocol/events.ts'
import {
  type Evolution,
  bisectionOf,
  expect,
  groupOf,
  testRunOf,
  enterPhase,
  put,
} from './evolution.ts'

/** The number of latest verdicts that are kept to recognise flakes. */
const verdictsKept = 100
/** The number of tests that are known to flake. */
const flakyTestsKept = 10_000

export const evolveTestRun: Evolution<
  | 'testRunStarted'
  | 'testRunFinished'
  | 'testRunCancelled'
  | 'verdictRecorded'
  | 'verdictContradicted'
  | 'flakyTestsSeen'
  | 'tipTested'
  | 'tipRetryPlanned'
> = {
  testRunStarted(queue, { run }) {
    const { owner } = run
    queue.last.testRun = run.id
    queue.testRuns[run.id] = run
    expect(queue, run.deadline)
    if (owner.kind === 'tip') {
      delete queue.tipRetry
      return
    }
    queue.slots[owner.kind]++
    if (owner.kind === 'main') {
      const group = groupOf(queue, owner.group)
      enterPhase(queue, group, { kind: 'testing', run })
      delete group.overtaken
      return
    }
    const bisection = bisectionOf(queue, owner.bisection)
    bisection.underWay.push(run.id)
    bisection.runsSpent++
    bisection.retries = bisection.retries.filter(({ of }) => of.composition !== run.composition)
  },

  testRunFinished(queue, { testRun }) {
    end(queue, testRun)
  },

  testRunCancelled(queue, { testRun }) {
    end(queue, testRun)
  },

  verdictRecorded(queue, { testRun, composition, outcome, failedTests, quarantined }) {
    const excused = quarantined ? { quarantined } : {}
    const verdict = {
      composition,
      run: testRun,
      outcome,
      failedTests,
      ...excused,
      contradicted: false,
    }
    queue.verdicts.push(verdict)
    queue.verdictMarks.push(markOf(composition))
    if (queue.verdicts.length <= verdictsKept) return
    queue.verdicts.shift()
    queue.verdictMarks.shift()
  },

  verdictContradicted(queue, { testRun, flakyTests }) {
    const verdict = queue.verdicts.find(({ run }) => run === testRun)
    if (verdict) verdict.contradicted = true
    noteFlakyTests(queue, flakyTests)
  },

  flakyTestsSeen(queue, { flakyTests }) {
    noteFlakyTests(queue, flakyTests)
  },

  tipTested(queue, { testRun, tip, failure, leansOn }) {
    const before = queue.tipTest
    // The branch may have got commits meanwhile: then an old tip says nothing about it.
    const oldest = failure ? queue.tip.number : (queue.pushedAt ?? 0)
    if (tip < oldest || (before?.failure && tip < before.tip)) return
    const { since = queue.now, from = tip, times = 0 } = before?.failure ?? {}
    queue.tipTest = {
      run: testRun,
      tip,
      ...(failure ? {} : { soundFrom: Math.min(soundFrom(queue), tip), ...leaning(leansOn) }),
      failure: failure && { ...failure, since, from, times: times + 1 },
    }
    if (failure) expect(queue, failure.notBefore)
  },

  tipRetryPlanned(queue, { retry }) {
    queue.tipRetry = retry
    expect(queue, retry.notBefore)
  },
}

/** Of more than are kept, those that flaked last: suites make new names, of parameters or on purpose. Rule: E-82. */
function noteFlakyTests({ flakyTests: known }: Queue, flaky: readonly string[]): void {
  for (const test of flaky) {
    delete known[test]
    put(known, test, true)
  }
  const names = Object.keys(known)
  for (const test of names.slice(0, Math.max(0, names.length - flakyTestsKept))) delete known[test]
}

const leaning = (leansOn: TipTested['leansOn']): Pick<TipTest, 'leansOn'> =>
  leansOn ? { leansOn } : {}

/** Ends a run: it frees its slot, and a later result is rejected. */
function end(queue: Queue, id: TestRunId): void {
  const { owner } = testRunOf(queue, id)
  delete queue.testRuns[id]
  if (owner.kind === 'tip') return
  queue.slots[owner.kind]--
  if (owner.kind === 'main') return
  // A run that could not change what is known may end after its bisection.
  const bisection = queue.bisections.find((each) => each.id === owner.bisection)
  if (bisection) bisection.underWay = bisection.underWay.filter((inProgress) => inProgress !== id)
}
