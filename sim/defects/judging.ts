/** Wrong about results: which count, what they mean, and what becomes of a failure. */

import { parts, rules, type Event, type Rule, type TestRun } from '../../engine/index.ts'
import type { Defect } from './defect.ts'
import {
  bending,
  bendingAll,
  deciding,
  decidingMistaken,
  engineWith,
  misreading,
  mistaking,
  nothing,
} from './wrapping.ts'

/** The state with a run still in it that is over. */
const keepingRuns = (isKept: (event: Event, run: TestRun) => boolean): typeof parts => ({
  ...parts,
  evolve(queue, event) {
    const isEnd = event.type === 'testRunFinished' || event.type === 'testRunCancelled'
    const run = isEnd ? queue.testRuns[event.testRun] : undefined
    parts.evolve(queue, event)
    if (run && isKept(event, run)) queue.testRuns[run.id] = run
  },
})

/** A failure is acted upon at once, whoever is still ahead or behind. */
const failAtOnce: Rule = (step) => {
  for (const id of step.queue.line) {
    const group = step.queue.groups[id]
    const [number, ...others] = group?.members ?? []
    if (group?.phase.kind !== 'failed' || number === undefined || others.length > 0) continue
    const { run, reason, failedTests } = group.phase
    const evidence = { failedIn: run.id, passedWithout: null, failedTests }
    const move = {
      type: 'pullRequestMoved',
      number,
      from: 'PENDING_FAILURE',
      to: 'FAILED',
    } as const
    step.emit({ ...move, reason, testRun: run.id, evidence })
    step.emit({ type: 'groupLeft', group: id })
    return true
  }
  return rules.settleFailure(step)
}

/** Who conflicts with somebody ahead is FAILED, whatever becomes of that one. */
const failConflictsAtOnce: Rule = (step) => {
  const id = step.queue.line.find((each) => step.queue.groups[each]?.phase.kind === 'conflicted')
  const number = id === undefined ? undefined : step.queue.groups[id]?.members[0]
  if (id === undefined || number === undefined) return false
  const evidence = { failedIn: null, passedWithout: null, failedTests: [] }
  const move = { type: 'pullRequestMoved', number, from: 'PENDING_FAILURE', to: 'FAILED' } as const
  step.emit({ ...move, reason: 'START_TEST_RUN_MERGE_CONFLICT', testRun: null, evidence })
  step.emit({ type: 'groupLeft', group: id })
  return true
}

export const judgingDefects: readonly Defect[] = [
  {
    name: 'stale-result-accepted',
    sentence: 'The result of a run that was cancelled still counts.',
    parts: keepingRuns(({ type }) => type === 'testRunCancelled'),
  },
  {
    name: 'result-counted-twice',
    sentence: 'The same result, reported twice, counts twice.',
    parts: keepingRuns((event) => event.type === 'testRunFinished'),
  },
  {
    name: 'timeout-missed',
    sentence: 'A run that hangs is never given up.',
    parts: engineWith({ expireRuns: nothing }),
  },
  {
    name: 'retry-at-once',
    sentence: 'A run that was lost is made again without a pause.',
    parts: deciding((step, command) =>
      parts.decide(
        {
          ...step,
          emit(event) {
            const hasRetry = 'retry' in event && event.retry !== null
            if (!hasRetry) step.emit(event)
            else step.emit({ ...event, retry: { ...event.retry, notBefore: step.at } })
          },
        },
        command,
      ),
    ),
  },
  {
    name: 'retry-endless',
    sentence: 'A run that was lost is made again and again, and each time counts as the first.',
    parts: bendingAll((event) => [
      'retry' in event && event.retry !== null
        ? { ...event, retry: { ...event.retry, attempt: 0 } }
        : event,
    ]),
  },
  {
    name: 'lost-run-not-repeated',
    sentence: 'A run that was lost has failed, the first time.',
    parts: decidingMistaken(({ testRuns }) => ({
      testRuns: Object.fromEntries(
        Object.entries(testRuns).map(([id, run]) => [id, { ...run, attempt: 2 }]),
      ),
    })),
  },
  {
    name: 'failed-at-once',
    sentence: 'A failure is a pull request’s own at once, whoever is still ahead of it.',
    parts: engineWith({ settleFailure: failAtOnce }),
  },
  {
    name: 'depth-one-short',
    sentence: 'One successor fewer is awaited than pendingFailureDepth says.',
    parts: engineWith({
      noteSuccessors: misreading(rules.noteSuccessors, ({ pendingFailureDepth }) => ({
        pendingFailureDepth:
          pendingFailureDepth > 1 ? pendingFailureDepth - 1 : pendingFailureDepth,
      })),
    }),
  },
  {
    name: 'successors-never-noted',
    sentence: 'With a pendingFailureDepth, a failure waits for successors that nobody has noted.',
    parts: engineWith({ noteSuccessors: nothing }),
  },
  {
    name: 'hold-forgotten',
    sentence: 'A failure does not wait for the successors that were noted for it.',
    parts: engineWith({ settleFailure: mistaking(rules.settleFailure, () => ({ testRuns: {} })) }),
  },
  {
    name: 'conflict-fails-at-once',
    sentence: 'A text conflict with a pull request that has not merged yet is final.',
    parts: engineWith({ settleConflict: failConflictsAtOnce }),
  },
  {
    name: 'conflict-never-settled',
    sentence: 'Who conflicts with what has merged is never told.',
    parts: engineWith({ settleConflict: nothing }),
  },
  {
    name: 'evidence-names-a-wrong-run',
    sentence: 'FAILED names the run before the one that failed.',
    parts: bendingAll((event) => {
      if (event.type !== 'pullRequestMoved' || !event.evidence) return [event]
      const { failedIn } = event.evidence
      const wrong = failedIn === null ? null : failedIn - 1
      return [{ ...event, evidence: { ...event.evidence, failedIn: wrong } }]
    }),
  },
  {
    name: 'optimistic-unasked',
    sentence: 'A passing run clears everybody it contains, optimistic merging or not.',
    parts: decidingMistaken(({ configuration }) => ({
      configuration: { ...configuration, canOptimisticallyMerge: true },
    })),
  },
  {
    name: 'optimistic-forgotten',
    sentence: 'With optimistic merging a passing run clears its own group alone.',
    parts: decidingMistaken(({ configuration }) => ({
      configuration: { ...configuration, canOptimisticallyMerge: false },
    })),
  },
  {
    name: 'moved-without-a-word',
    sentence: 'The last of a batch is under test, and no event says so.',
    parts: {
      ...parts,
      evolve(queue, event) {
        parts.evolve(queue, event)
        if (event.type !== 'testRunStarted' || event.run.owner.kind !== 'main') return
        const last = event.run.tested.length > 1 ? event.run.tested.at(-1) : undefined
        const pullRequest = queue.pullRequests[last ?? -1]
        if (pullRequest) pullRequest.state = 'TESTING'
      },
    },
  },
  {
    name: 'refused-result-leaves-a-mark',
    sentence: 'A result that is refused changes what is known about flaky tests all the same.',
    parts: deciding((step, command) => {
      const rejection = parts.decide(step, command)
      if (rejection && command.type === 'finishTestRun') {
        step.emit({ type: 'flakyTestsSeen', flakyTests: ['of a result that came late'] })
      }
      return rejection
    }),
  },
  {
    name: 'verdict-not-kept',
    sentence: 'A group whose run failed is not told.',
    parts: deciding((step, command) =>
      parts.decide(
        {
          ...step,
          emit: (event) => {
            if (event.type !== 'groupFailed') step.emit(event)
          },
        },
        command,
      ),
    ),
  },
  {
    name: 'survivors-lost',
    sentence: 'What a bisection has proven does not come back to the line.',
    parts: engineWith({
      advanceBisection: bending(rules.advanceBisection, (event) =>
        event.type === 'groupPlaced' ? [] : [event],
      ),
    }),
  },
]
