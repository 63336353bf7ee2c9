/** Defects of results: which ones count, what they mean, and when a failure counts. */

import {
  type Configuration,
  engineParts,
  type Event,
  type QueueView,
  type Rule,
  rules,
  type TestRun,
} from '../../engine/index.ts'
import type { Defect } from './defect.ts'
import {
  alteringAllEvents,
  alteringEvents,
  deciding,
  decidingOnMisreadQueue,
  engineWithRules,
  evolving,
  evolvingAs,
  nothing,
  withMisreadQueue,
  withMisreadSettings,
} from '../run/altered-engines.ts'

/** The rules that ask for the odds. */
const convicting = [
  'settleFailure',
  'advanceBisection',
  'startBisectionRuns',
  'lookOnceMore',
] as const

/** Returns the engine whose convictions read a false state of the queue. */
const misreading = (misread: (queue: QueueView) => Partial<QueueView>): Defect['parts'] =>
  engineWithRules(
    Object.fromEntries(
      convicting.map((name): [string, Rule] => [name, withMisreadQueue(rules[name], misread)]),
    ),
  )

const without: Partial<Configuration> = { policy: 'documented' }

export const convictingDefects: readonly Defect[] = [
  {
    name: 'odds-ignored-for-single',
    sentence: 'With conviction by odds a single pull request is FAILED for its first failure.',
    parts: engineWithRules({
      settleFailure: withMisreadSettings(rules.settleFailure, () => without),
    }),
  },
  {
    name: 'odds-ignored-in-bisections',
    sentence: 'With conviction by odds a bisection convicts a member as without it.',
    parts: engineWithRules({
      advanceBisection: withMisreadSettings(rules.advanceBisection, () => without),
      startBisectionRuns: withMisreadSettings(rules.startBisectionRuns, () => without),
      lookOnceMore: withMisreadSettings(rules.lookOnceMore, () => without),
    }),
  },
  {
    name: 'odds-without-flakes',
    sentence: 'The odds do not count the flakes that the queue has seen.',
    parts: misreading(({ verdicts }) => ({
      verdicts: verdicts.map((verdict) => ({ ...verdict, contradicted: false })),
    })),
  },
  {
    name: 'odds-without-culprits',
    sentence:
      'The odds count nobody who broke the tests, so that failures are looked at too often.',
    parts: misreading(({ judged }) => ({ judged: { ...judged, failed: 0 } })),
  },
  {
    name: 'odds-unasked',
    sentence: 'A single pull request is looked at once more without conviction by odds.',
    parts: engineWithRules({
      settleFailure: withMisreadSettings(rules.settleFailure, () => ({ policy: 'adaptive' })),
    }),
  },
]

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

/** Defects of the tests of the branch by itself. */
const off: () => Partial<Configuration> = () => ({ tipTestMode: 'off' })

export const blamingDefects: readonly Defect[] = [
  {
    name: 'tip-unasked-for-single',
    sentence: 'A single pull request is FAILED although the branch was not tested by itself.',
    parts: engineWithRules({ settleFailure: withMisreadSettings(rules.settleFailure, off) }),
  },
  {
    name: 'tip-unasked-in-bisections',
    sentence: 'A bisection convicts its first member although the branch was not tested by itself.',
    parts: engineWithRules({ advanceBisection: withMisreadSettings(rules.advanceBisection, off) }),
  },
  {
    name: 'tip-sound-after-push',
    sentence: 'A branch that has passed counts as sound also after a push.',
    parts: evolving((queue) => {
      delete queue.pushedAt
    }),
  },
  {
    name: 'failed-tip-counts-as-passed',
    sentence: 'A branch that fails by itself counts as sound.',
    parts: evolvingAs((event) =>
      event.type === 'tipTested' ? { ...event, failure: null } : event,
    ),
  },
  {
    name: 'tip-sound-from-the-start',
    sentence: 'A branch that passes counts as sound also before another lane has mended it.',
    parts: evolving((queue) => {
      if (queue.tipTest) queue.tipTest = { ...queue.tipTest, soundFrom: 0 }
    }),
  },
  {
    name: 'tip-passed-before-the-timeout',
    sentence: 'An earlier pass of the branch by itself makes a timeout count.',
    parts: evolving((queue) => {
      if (queue.tipTest) queue.tipTest = { ...queue.tipTest, run: Infinity }
    }),
  },
  {
    name: 'stop-ignored-by-the-order',
    sentence: 'While the branch fails by itself, pull requests enter the line.',
    parts: engineWithRules({ formGroup: withMisreadSettings(rules.formGroup, off) }),
  },
  {
    name: 'stop-ignored-by-bisections',
    sentence: 'While the branch fails by itself, bisections go on.',
    parts: engineWithRules({
      startBisectionRuns: withMisreadSettings(rules.startBisectionRuns, off),
      lookOnceMore: withMisreadSettings(rules.lookOnceMore, off),
    }),
  },
]
