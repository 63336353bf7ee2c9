/** Defects of results: which ones count, what is remembered of them, and when a failure counts. */

import { engineParts } from '../../engine/index.ts'
import type { EngineParts, Evidence, QueueView } from '../../engine/index.ts'
import {
  after,
  altering,
  answering,
  catalogue,
  emitting,
  keeping,
  never,
  reading,
  withPhases,
  withPullRequests,
  withSettings,
  withTestRuns,
  without,
  type Misread,
} from './alterations.ts'
import { toMillis } from '../scenario/time.ts'

/** Runs that have ended so stay in the state. */
const keepingRuns = (end: 'testRunFinished' | 'testRunCancelled'): EngineParts =>
  keeping(end, ({ testRuns }, { testRun }) => {
    const run = testRuns[testRun]
    return run && (() => void (testRuns[run.id] = run))
  })

/** Every retry that an event plans. */
const retrying = (
  change: (at: number) => { notBefore: number } | { attempt: number },
  places: 'commands' | null,
) =>
  emitting(places, (event, { now }) =>
    'retry' in event && event.retry !== null
      ? [{ ...event, retry: { ...event.retry, ...change(now) } }]
      : [event],
  )

/** Each with which a group of the line has a text conflict has merged. */
const withConflictsMerged: Misread = (queue) => {
  const phases = Object.values(queue.groups).map(({ phase }) => phase)
  const isMet = (number: number): boolean =>
    phases.some((phase) => phase.kind === 'conflicted' && phase.with === number)
  return withPullRequests(({ number }) => (isMet(number) ? { state: 'MERGED' } : {}))(queue)
}

const optimistic = (canOptimisticallyMerge: boolean): EngineParts =>
  withSettings('commands', () => ({ canOptimisticallyMerge }))

type AlterEvidence = (evidence: Evidence, queue: QueueView) => Partial<Evidence>

const withEvidence = (alter: AlterEvidence, places: 'advanceBisection' | null = null) =>
  altering(
    'pullRequestMoved',
    ({ evidence }, queue) =>
      evidence ? { evidence: { ...evidence, ...alter(evidence, queue) } } : {},
    places,
  )

/** The known flaky tests after a verdict are altered; those that a report names, which come before it, are not. */
const knowing = (isKnown: (test: string, failedTests: readonly string[]) => boolean) =>
  emitting('finishTestRun', (event, { verdicts }, command) => {
    const last = verdicts.at(-1)
    const isOfVerdict = command?.type === 'finishTestRun' && last?.run === command.testRun
    if (event.type !== 'flakyTestsSeen' || !isOfVerdict) return [event]
    const flakyTests = event.flakyTests.filter((test) => isKnown(test, last.failedTests))
    return flakyTests.length > 0 ? [{ ...event, flakyTests }] : []
  })

export const judgingDefects = catalogue`
  stale-result-accepted (1): The result of a cancelled run still counts.
    ${keepingRuns('testRunCancelled')}
  result-counted-twice (1): A result that is reported twice counts twice.
    ${keepingRuns('testRunFinished')}
  retry-at-once (5): A lost run is repeated without a pause.
    ${retrying((notBefore) => ({ notBefore }), 'commands')}
  retry-endless (5): A lost run is repeated without end, because each attempt counts as the first.
    ${retrying(() => ({ attempt: 0 }), null)}
  lost-run-not-repeated (5): A run that is lost once counts as failed.
    ${reading(
      'commands',
      withTestRuns(() => ({ attempt: 2 })),
    )}
  failed-at-once (1): A failure is blamed on the pull request at once, even with predecessors ahead of it.
    ${reading(
      'settleFailure',
      withPhases(['failed'], ({ run }) => ({ run: { ...run, base: [] }, aside: true })),
    )}
  conflict-fails-at-once (4): A text conflict with a pull request that has not merged yet is final.
    ${reading('settleConflict', withConflictsMerged)}
  conflict-never-settled (4): A text conflict with a merged pull request never leads to FAILED.
    ${without('settleConflict')}
  evidence-names-a-wrong-run (1): The evidence of FAILED names the run before the one that failed.
    ${withEvidence(({ failedIn }) => ({ failedIn: failedIn === null ? null : failedIn - 1 }))}
  optimistic-unasked (15): A passing run clears every pull request it contains, with or without optimistic merging.
    ${optimistic(true)}
  optimistic-forgotten (8): With optimistic merging, a passing run clears only its own group.
    ${optimistic(false)}
  moved-without-a-word (2): The last member of a batch changes to TESTING without an event.
    ${after('testRunStarted', ({ pullRequests }, { run: { owner, tested } }) => {
      const last = owner.kind === 'main' && tested.length > 1 ? tested.at(-1) : undefined
      const pullRequest = pullRequests[last ?? -1]
      if (pullRequest) pullRequest.state = 'TESTING'
    })}
  refused-result-leaves-a-mark (5): A rejected result still changes the known flaky tests.
    ${answering('finishTestRun', (step, command) => {
      const rejection = engineParts.decide(step, command)
      const flakyTests = ['of a result that came late']
      if (rejection) step.emit({ type: 'flakyTestsSeen', flakyTests })
      return rejection
    })}
  verdict-not-kept (1): A failed run does not change its group: the event groupFailed is missing.
    ${never('groupFailed', 'commands')}
  survivors-lost (2): Survivors of a bisection do not return to the line.
    ${never('groupPlaced', 'advanceBisection')}
  ten-verdicts-remembered (2): Only the last 10 verdicts are remembered.
    ${after('verdictRecorded', (queue) => void (queue.verdicts = queue.verdicts.slice(-10)))}
  flake-only-if-it-fails-first (18): A failure after a pass of the same composition is not recognised as a flake.
    ${altering(
      'verdictContradicted',
      ({ testRun }, { verdicts }) => (verdicts.at(-1)?.run === testRun ? null : {}),
      'commands',
    )}
  difference-from-one-side (9): A test that failed before and not again on the same is not known to flake.
    ${knowing((test, failed) => failed.includes(test))}
  difference-from-the-other-side (9): A test that fails now and did not fail before on the same is not known to flake.
    ${knowing((test, failed) => !failed.includes(test))}
  culprit-without-its-tests (2): The evidence of a conviction does not name the tests that failed.
    ${withEvidence(() => ({ failedTests: [] }), 'advanceBisection')}
  contrast-forgotten (1): The evidence of FAILED never names a run that passed without the pull request.
    ${withEvidence(() => ({ passedWithout: null }))}
  contrast-of-another-run (2): The evidence of FAILED names any run that passed last, whatever it tested.
    ${withEvidence(({ passedWithout }, { verdicts }) => {
      const last = verdicts.findLast(({ outcome }) => outcome === 'passed')?.run
      return { passedWithout: passedWithout === null ? null : (last ?? null) }
    })}
`

// Defects of holds: a failure counts before its successors have spoken, or waits for too long.

/** Failures are settled with another depth, where there is one. */
const withDepth = (change: (depth: number) => number): EngineParts =>
  withSettings('settleFailure', ({ pendingFailureDepth: depth }) => ({
    pendingFailureDepth: depth === 0 ? 0 : change(depth),
  }))

/** Of the groups that wait for a run, only those with a retry are there, or only those without. */
const waitingIf =
  (isWithRetry: boolean): Misread =>
  ({ phases, groups }) => {
    const waiting = phases.waiting.filter((id) => {
      const phase = groups[id]?.phase
      return phase?.kind === 'waiting' && (phase.retry !== null) === isWithRetry
    })
    return { phases: { ...phases, waiting } }
  }

/** Every run that gave a verdict contains every pull request. */
const withRunsOfEverything: Misread = (queue) => {
  const all = Object.values(queue.pullRequests).map(({ submission }) => submission)
  return withPhases(['passed', 'failed'], ({ run }) =>
    run ? { run: { ...run, submissions: [...run.submissions, ...all] } } : {},
  )(queue)
}

/** Timeouts and retries are due, the end of a hold is not. */
const dueForRunsOnly: Misread = ({ testRuns, phases, groups, bisections, now }) => {
  const due = Object.values(testRuns).map(({ deadline }) => deadline)
  for (const id of phases.waiting) {
    const phase = groups[id]?.phase
    if (phase?.kind === 'waiting' && phase.retry) due.push(phase.retry.notBefore)
  }
  due.push(...bisections.flatMap(({ retries }) => retries.map(({ notBefore }) => notBefore)))
  const later = due.filter((instant) => instant > now)
  return { nextDeadline: later.length > 0 ? Math.min(...later) : null }
}

export const holdingDefects = catalogue`
  depth-one-short (15): A failure waits for one successor fewer than pendingFailureDepth.
    ${withDepth((depth) => Math.max(1, depth - 1))}
  depth-one-more (8): A failure waits for one successor more than pendingFailureDepth.
    ${withDepth((depth) => depth + 1)}
  hold-forgotten (6): A failure does not wait for its successors.
    ${withDepth(() => 0)}
  not-held-though-flaky (221): A failure that is held only while runs flake is never held.
    ${withSettings('settleFailure', ({ policy }) =>
      policy === 'adaptive' ? { pendingFailureDepth: 0 } : {},
    )}
  every-failure-counts-as-a-flake (4): Failures that nothing has contradicted count among the runs that flake.
    ${reading('settleFailure', ({ configuration: { policy }, verdicts }) =>
      policy === 'adaptive'
        ? { verdicts: verdicts.map((each) => ({ ...each, contradicted: true })) }
        : {},
    )}
  hold-ends-with-a-lost-run (22): A successor that waits to repeat a lost run is not awaited.
    ${reading('settleFailure', waitingIf(false))}
  hold-ends-with-a-restart (6): A successor that waits for a slot or a restart is not awaited.
    ${reading('settleFailure', waitingIf(true))}
  later-successor-not-awaited (15): A successor that has not entered the line is not awaited.
    ${reading('settleFailure', ({ order }) => ({
      order: { ...order, arrivals: { ...order.arrivals, numbers: [], keys: [], head: 0 } },
    }))}
  verdict-of-another-lane-counts (8): A verdict behind a failure counts, also if its run does not contain the failed group.
    ${reading('settleFailure', withRunsOfEverything)}
  passes-end-no-hold (153): Of the verdicts on top of a failure only the failed ones count.
    ${reading('settleFailure', ({ phases }) => ({ phases: { ...phases, passed: [] } }))}
  filling-batch-awaited (18): A failure waits for pull requests whose batch still fills.
    ${withSettings('settleFailure', () => ({ batchingMinSize: 1 }))}
  hold-has-no-end (50): A failure waits without end for successors that have no run.
    ${reading(
      'settleFailure',
      withPhases(['failed'], () => ({ heldUntil: null })),
    )}
  hold-never-begins (6): The end of a hold is never set.
    ${without('startHold')}
  hold-cut-short (6): A failure waits a minute too little for successors that have no run.
    ${altering('holdStarted', ({ heldUntil }) => ({ heldUntil: heldUntil - toMillis(1) }))}
  end-of-a-hold-slept-through (10): The engine does not ask to be woken at the end of a hold.
    ${reading('armWake', dueForRunsOnly)}
`
