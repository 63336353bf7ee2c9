/** For each property a fault in parallel mode, and the story of the violation. */

import { rules, type TestRun } from '../../../engine/index.ts'
import { evolvingAs, withMisreadSettings } from '../../run/altered-engines.ts'
import { engineWithRules, withMisreadQueue } from './defects.ts'
import type { StreamSpec } from './drive.ts'
import { inLanes } from './in-lanes.ts'
import { at, conflict, submit, submitAs, update } from './script.ts'
import {
  beginningWith,
  withTruth,
  alteringEvents,
  alteringRuns,
  withEngine,
  type Alteration,
} from './alterations.ts'
import { pushWithoutRestarts, restartTakesOthersAlong } from './wrong-decisions.ts'
import { failAtOnce, formOfTheLast, mergeTheLastThatPassed } from './wrong-rules.ts'

const quiet = inLanes(submit(0, 1, 2, 3, 4))
const slowFirst = { runMinutes: [30, 30, 10, 10] }
const broken = inLanes(submit(0, 1, 2, 3, 4), { facts: { breaks: [2] } })
const batches = inLanes(submit(0, 1, 3, 2, 4), {
  configuration: { batch: true, batchingMinSize: 2 },
})
const bisecting = inLanes([...submit(0, 5, 1, 2, 3), submitAs(0, 4, { noBatch: true })], {
  configuration: { batch: true, batchingMinSize: 4, bisectionConcurrency: 1 },
  facts: { breaks: [5, 1, 2, 3] },
})

const testsThird = ({ tested }: TestRun): boolean => tested.includes(3)
const withoutBase = (): Partial<TestRun> => ({ base: [], submissions: [3] })

const green = (number: number) =>
  at(0, { type: 'reportPullRequest', number, greenOnTip: true } as const)

export type WrongLane = {
  readonly property: string
  readonly world: StreamSpec
  readonly wrongly: string
  readonly alteration: Alteration
  readonly story: RegExp
}

export const cases: readonly WrongLane[] = [
  {
    property: 'trunk-stays-green',
    world: quiet,
    wrongly: 'a run lacks its predecessor',
    alteration: alteringRuns(testsThird, withoutBase),
    story: /After pull request 3 merged .* is not what that run tested/,
  },
  {
    property: 'trunk-stays-green',
    world: inLanes(submit(0, 1, 2, 3, 4)),
    wrongly: 'a merged pull request breaks the branch',
    alteration: withTruth({ breaks: [2] }),
    story: /pull request 2 merged .* the branch is broken/,
  },
  {
    property: 'judged-by-truth',
    world: broken,
    wrongly: 'a healthy pull request is FAILED',
    alteration: withTruth({}),
    story: /Pull request 2 FAILED for run \d, but does not break its base/,
  },
  {
    property: 'evidence-is-true',
    world: broken,
    wrongly: 'the evidence names a run of another lane',
    alteration: alteringEvents((event) =>
      event.type === 'pullRequestMoved' && event.evidence
        ? [{ ...event, evidence: { ...event.evidence, failedIn: 1 } }]
        : [event],
    ),
    story: /Pull request 2 FAILED .* run 1 did not test it/,
  },
  {
    property: 'serial-oracle',
    world: broken,
    wrongly: 'a pull request is FAILED that would have merged',
    alteration: withTruth({}),
    story: /Pull request 2 FAILED, but in a queue .* would have merged/,
  },
  {
    property: 'serial-oracle',
    world: inLanes(submit(0, 4, 1, 3), {
      facts: { pairs: [[1, 3]] },
      configuration: { concurrency: 1 },
    }),
    wrongly: 'a pull request is overtaken in its lane by one that breaks together with it',
    alteration: withEngine(engineWithRules({ formGroup: formOfTheLast })),
    story: /would have (?:merged|FAILED)/,
  },
  {
    property: 'merges-in-order',
    world: inLanes(submit(0, 1, 2, 3, 4), slowFirst),
    wrongly: 'a group merges before its predecessor',
    alteration: withEngine(engineWithRules({ merge: mergeTheLastThatPassed })),
    story: /Pull request 3 was to merge while pull request 1 ahead had not/,
  },
  {
    property: 'clears-what-it-contains',
    world: quiet,
    wrongly: 'a run clears a group of another lane',
    alteration: alteringEvents((event) =>
      event.type === 'groupPassed' && event.group === 2
        ? [{ ...event, run: { ...event.run, id: 1, owner: { kind: 'main', group: 1 } } }]
        : [event],
    ),
    story: /run 1/,
  },
  {
    property: 'verdicts-stay-fresh',
    world: inLanes([...submit(0, 1, 2, 3, 4), at(5, { type: 'reportPush' })]),
    wrongly: 'a push to the branch restarts no group',
    alteration: withEngine(engineWithRules({}, { decide: pushWithoutRestarts })),
    story: /pull request [1-4]/,
  },
  {
    property: 'projected-base',
    world: quiet,
    wrongly: 'a run lacks its predecessor',
    alteration: alteringRuns(testsThird, withoutBase),
    story: /tests 3 on none at tip 0, but the projected state is 1 on tip 0/,
  },
  {
    property: 'projected-base',
    world: quiet,
    wrongly: 'a run holds another lane',
    alteration: alteringRuns(testsThird, () => ({ base: [1, 2] })),
    story: /tests 3 on 1 and 2 at tip 0, but the projected state is 1 on tip 0/,
  },
  {
    property: 'conflicts-stay-apart',
    world: inLanes([conflict(0, 2, 4), ...submit(0, 1, 2, 3, 4)], {
      facts: {
        conflicts: [
          [2, 4],
          [1, 3],
        ],
      },
    }),
    wrongly: 'a run tests two pull requests that conflict as text',
    alteration: beginningWith({ type: 'pullRequestReported', number: 3, conflictsWith: [1] }),
    story: /was made of 3 and 1, which conflict as text/,
  },
  {
    property: 'slots-respected',
    world: quiet,
    wrongly: 'more runs start than there are slots',
    alteration: beginningWith({ type: 'queueConfigured', set: { concurrency: 3 } }),
    story: /concurrency|4/,
  },
  {
    property: 'starts-in-order',
    world: inLanes(submit(0, 5, 1, 2, 3), { configuration: { concurrency: 1 } }),
    wrongly: 'the last pull request starts first',
    alteration: withEngine(engineWithRules({ formGroup: formOfTheLast })),
    story: /entered the line \(formed\)/,
  },
  {
    property: 'batches-well-formed',
    world: batches,
    wrongly: 'a batch is larger than it may be',
    alteration: beginningWith({ type: 'queueConfigured', set: { batchingMinSize: 1 } }),
    story: /1 and 3/,
  },
  {
    property: 'nobody-waits-with-a-slot-free',
    world: inLanes(submit(0, 1, 2), { configuration: { concurrency: 1 } }),
    wrongly: 'a lane waits for another lane',
    alteration: beginningWith({ type: 'queueConfigured', set: { concurrency: 2 } }),
    story: /2/,
  },
  {
    property: 'no-needless-restart',
    world: inLanes([...submit(0, 1, 2, 3, 4), at(5, { type: 'restartTests', number: 1 })]),
    wrongly: 'a restart also restarts other lanes',
    alteration: withEngine(engineWithRules({}, { decide: restartTakesOthersAlong })),
    story: /nothing in its composition had changed/,
  },
  {
    property: 'lost-runs-get-three-tries',
    world: { ...quiet, faultyRuns: { 2: 'errored' } },
    wrongly: 'a try is not counted',
    alteration: alteringRuns(
      ({ attempt }) => attempt === 1,
      () => ({ attempt: 2 }),
    ),
    story: /try/,
  },
  {
    property: 'hold-respected',
    world: inLanes(submit(0, 1, 2, 3, 4), {
      facts: { breaks: [3] },
      runMinutes: [30, 30, 30, 5],
    }),
    wrongly: 'a failure is acted upon before its predecessor has merged',
    alteration: withEngine(engineWithRules({ settleFailure: failAtOnce })),
    story: /3/,
  },
  {
    property: 'flakes-are-shown',
    world: inLanes([...submit(0, 1, 2, 3), at(15, { type: 'restartTests', number: 1 })], {
      configuration: { pendingFailureDepth: 1 },
      faultyRuns: { 1: 'flakes' },
      runMinutes: [60, 10, 60],
    }),
    wrongly: 'a flake is not noticed',
    alteration: alteringEvents((event) => (event.type === 'verdictContradicted' ? [] : [event])),
    story: /The failure of run 1 does not count as a flake/,
  },
  {
    property: 'bisection-never-repeats',
    world: bisecting,
    wrongly: 'one composition is tested twice',
    alteration: alteringEvents((event) =>
      event.type === 'testRunStarted' && event.run.owner.kind === 'bisection'
        ? [event, { ...event, run: { ...event.run, id: event.run.id + 100 } }]
        : [event],
    ),
    story: /was testing the same/,
  },
  {
    property: 'bisection-stays-cheap',
    world: bisecting,
    wrongly: 'a bisection tests several members together for too long',
    alteration: withEngine(
      engineWithRules({
        startBisectionRuns: withMisreadQueue(rules.startBisectionRuns, (queue) => ({
          judged: { count: 1000, failed: 0 },
          bisections: queue.bisections.map((bisection) => ({ ...bisection, size: 100 })),
        })),
      }),
    ),
    story: /but 7 are enough/,
  },
  {
    property: 'second-looks-cost-nobody',
    world: { ...batches, facts: { breaks: [3] } },
    wrongly: 'a member is convicted by elimination without a second look',
    alteration: withEngine(
      engineWithRules({
        lookOnceMore: withMisreadSettings(rules.lookOnceMore, () => ({ bisectionConcurrency: 0 })),
      }),
    ),
    story: /without a second look, which had a slot left over/,
  },
  {
    property: 'direct-merges-are-green',
    world: inLanes([green(1), green(3), ...submit(0, 1, 3)], {
      configuration: { directMergeMode: 'always' },
    }),
    wrongly: 'a pull request that was green on an older tip merges without a run',
    alteration: withEngine(
      engineWithRules({
        mergeDirectly: withMisreadQueue(rules.mergeDirectly, () => ({ greenOnTip: [1, 3] })),
      }),
    ),
    story: /pull request 3 was to merge without a run/,
  },
  {
    property: 'only-the-ready-start',
    world: inLanes(submit(0, 1, 2, 9)),
    wrongly: 'a pull request without known targets is tested',
    alteration: withEngine(
      evolvingAs((event) =>
        event.type === 'pullRequestSubmitted' ? { ...event, state: 'PENDING' } : event,
      ),
    ),
    story: /pull request 9 entered the line/,
  },
  {
    property: 'odds-convict',
    world: inLanes(submit(0, 1, 2, 3, 4), {
      configuration: { policy: 'adaptive' },
      facts: { breaks: [2] },
    }),
    wrongly: 'a pull request is FAILED for its first failure',
    alteration: withEngine(
      engineWithRules({
        settleFailure: withMisreadSettings(rules.settleFailure, () => ({
          policy: 'documented',
        })),
      }),
    ),
    story: /^Pull request 2 FAILED at minute 10, although it is not 10 times as probable/,
  },
  {
    property: 'one-state-along-the-table',
    world: quiet,
    wrongly: 'a pull request skips a state',
    alteration: alteringEvents((event) =>
      event.type === 'pullRequestMoved' && event.to === 'TESTS_PASSED' ? [] : [event],
    ),
    story: /TESTS_PASSED|TESTING/,
  },
  {
    property: 'paused-means-paused',
    world: inLanes([
      ...submit(0, 1, 2),
      update(20, { state: 'PAUSED' }),
      ...submit(21, 3, 4),
      update(40, { state: 'RUNNING' }),
    ]),
    wrongly: 'a lane starts although the queue is PAUSED',
    alteration: beginningWith({
      type: 'queueStateChanged',
      from: 'RUNNING',
      to: 'PAUSED',
      wishedMode: null,
    }),
    story: /PAUSED/,
  },
  {
    property: 'draining-starts-nothing-new',
    world: quiet,
    wrongly: 'a new pull request starts while the mode changes',
    alteration: beginningWith({
      type: 'queueStateChanged',
      from: 'RUNNING',
      to: 'SWITCHING_MODES',
      wishedMode: 'single',
    }),
    story: /SWITCHING_MODES/,
  },
  {
    property: 'nobody-lost',
    world: quiet,
    wrongly: 'a group leaves with a member in it',
    alteration: alteringEvents((event) =>
      event.type === 'groupPassed' ? [{ type: 'groupLeft', group: event.group }, event] : [event],
    ),
    story: /left the line with pull request/,
  },
  {
    property: 'wake-is-armed',
    world: quiet,
    wrongly: 'no wake-up is scheduled',
    alteration: alteringEvents((event) => (event.type === 'wakeScheduled' ? [] : [event])),
    story: /wake/,
  },
  {
    property: 'everything-ends',
    world: broken,
    wrongly: 'a failure is never acted upon',
    alteration: withEngine(engineWithRules({ settleFailure: () => false })),
    story: /At the end 2 \(PENDING_FAILURE\)/,
  },
  {
    property: 'survivors-merge-at-once',
    world: inLanes(submit(0, 5, 1, 2, 3), {
      configuration: { batch: true, batchingMinSize: 4, bisectionConcurrency: 1 },
      facts: { breaks: [2] },
    }),
    wrongly: 'survivors wait for the end of their bisection',
    alteration: withEngine(engineWithRules({ mergeSurvivors: () => false })),
    story: /which may merge and did not/,
  },
  {
    property: 'timeouts-on-time',
    world: { ...quiet, faultyRuns: { 3: 'hangs' } },
    wrongly: 'a run times out before its time',
    alteration: beginningWith({ type: 'queueConfigured', set: { testingTimeoutMinutes: 301 } }),
    story: /although it had until minute 301/,
  },
  {
    property: 'flaky-tests-are-noticed',
    world: inLanes([...submit(0, 1, 3), at(15, { type: 'restartTests', number: 3 })], {
      faultyRuns: { 3: 'flakes' },
      runMinutes: [10, 60, 10],
    }),
    wrongly: 'a test that failed in one of two runs of the same is not known to flake',
    alteration: alteringEvents((event) =>
      event.type === 'testRunFinished' && event.testRun === 3
        ? [{ ...event, failedTests: [{ name: 'another' }] }]
        : [event],
    ),
    story: /is not known to flake/,
  },
]
