/** Defects of results: which ones count, what they mean, and when a failure counts. */

import { engineParts, rules, type Event, type Rule, type TestRun } from '../../engine/index.ts'
import type { Defect } from './defect.ts'
import {
  alteringEvents,
  alteringAllEvents,
  deciding,
  decidingOnMisreadQueue,
  engineWithRules,
  nothing,
} from '../run/altered-engines.ts'

/** The engine, with some ended runs kept in its state. */
const keepingRuns = (isKept: (event: Event, run: TestRun) => boolean): typeof engineParts => ({
  ...engineParts,
  evolve(queue, event) {
    const isEnd = event.type === 'testRunFinished' || event.type === 'testRunCancelled'
    const run = isEnd ? queue.testRuns[event.testRun] : undefined
    engineParts.evolve(queue, event)
    if (run && isKept(event, run)) queue.testRuns[run.id] = run
  },
})

/** A failure is handled at once, even with predecessors or successors in the line. */
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

/** A text conflict with a pull request ahead leads to FAILED, whatever its outcome is. */
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
    sentence: 'The result of a cancelled run still counts.',
    parts: keepingRuns(({ type }) => type === 'testRunCancelled'),
  },
  {
    name: 'result-counted-twice',
    sentence: 'A result that is reported twice counts twice.',
    parts: keepingRuns((event) => event.type === 'testRunFinished'),
  },
  {
    name: 'timeout-missed',
    sentence: 'A run that hangs never times out.',
    parts: engineWithRules({ expireRuns: nothing }),
  },
  {
    name: 'retry-at-once',
    sentence: 'A lost run is repeated without a pause.',
    parts: deciding((step, command) =>
      engineParts.decide(
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
    sentence: 'A lost run is repeated without end, because each attempt counts as the first.',
    parts: alteringAllEvents((event) => [
      'retry' in event && event.retry !== null
        ? { ...event, retry: { ...event.retry, attempt: 0 } }
        : event,
    ]),
  },
  {
    name: 'lost-run-not-repeated',
    sentence: 'A run that is lost once counts as failed.',
    parts: decidingOnMisreadQueue(({ testRuns }) => ({
      testRuns: Object.fromEntries(
        Object.entries(testRuns).map(([id, run]) => [id, { ...run, attempt: 2 }]),
      ),
    })),
  },
  {
    name: 'failed-at-once',
    sentence:
      'A failure is blamed on the pull request at once, even with predecessors ahead of it.',
    parts: engineWithRules({ settleFailure: failAtOnce }),
  },
  {
    name: 'conflict-fails-at-once',
    sentence: 'A text conflict with a pull request that has not merged yet is final.',
    parts: engineWithRules({ settleConflict: failConflictsAtOnce }),
  },
  {
    name: 'conflict-never-settled',
    sentence: 'A text conflict with a merged pull request never leads to FAILED.',
    parts: engineWithRules({ settleConflict: nothing }),
  },
  {
    name: 'evidence-names-a-wrong-run',
    sentence: 'The evidence of FAILED names the run before the one that failed.',
    parts: alteringAllEvents((event) => {
      if (event.type !== 'pullRequestMoved' || !event.evidence) return [event]
      const { failedIn } = event.evidence
      const wrong = failedIn === null ? null : failedIn - 1
      return [{ ...event, evidence: { ...event.evidence, failedIn: wrong } }]
    }),
  },
  {
    name: 'optimistic-unasked',
    sentence:
      'A passing run clears every pull request it contains, with or without optimistic merging.',
    parts: decidingOnMisreadQueue(({ configuration }) => ({
      configuration: { ...configuration, canOptimisticallyMerge: true },
    })),
  },
  {
    name: 'optimistic-forgotten',
    sentence: 'With optimistic merging, a passing run clears only its own group.',
    parts: decidingOnMisreadQueue(({ configuration }) => ({
      configuration: { ...configuration, canOptimisticallyMerge: false },
    })),
  },
  {
    name: 'moved-without-a-word',
    sentence: 'The last member of a batch changes to TESTING without an event.',
    parts: {
      ...engineParts,
      evolve(queue, event) {
        engineParts.evolve(queue, event)
        if (event.type !== 'testRunStarted' || event.run.owner.kind !== 'main') return
        const last = event.run.tested.length > 1 ? event.run.tested.at(-1) : undefined
        const pullRequest = queue.pullRequests[last ?? -1]
        if (pullRequest) pullRequest.state = 'TESTING'
      },
    },
  },
  {
    name: 'refused-result-leaves-a-mark',
    sentence: 'A rejected result still changes the known flaky tests.',
    parts: deciding((step, command) => {
      const rejection = engineParts.decide(step, command)
      if (rejection && command.type === 'finishTestRun') {
        step.emit({ type: 'flakyTestsSeen', flakyTests: ['of a result that came late'] })
      }
      return rejection
    }),
  },
  {
    name: 'verdict-not-kept',
    sentence: 'A failed run does not change its group: the event groupFailed is missing.',
    parts: deciding((step, command) =>
      engineParts.decide(
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
    sentence: 'Survivors of a bisection do not return to the line.',
    parts: engineWithRules({
      advanceBisection: alteringEvents(rules.advanceBisection, (event) =>
        event.type === 'groupPlaced' ? [] : [event],
      ),
    }),
  },
]
