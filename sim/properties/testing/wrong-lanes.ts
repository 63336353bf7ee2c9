/** For each property something wrong in parallel mode, and how it is told. */

import { rules, type TestRun } from '../../../engine/index.ts'
import { evolvingAs } from '../../defects/wrapping.ts'
import { engineWith, mistaking } from './defects.ts'
import type { World } from './drive.ts'
import { inLanes } from './in-lanes.ts'
import { at, conflict, submit, submitAs, update } from './script.ts'
import {
  beginningWith,
  believing,
  bending,
  bendingRuns,
  withEngine,
  type Telling,
} from './tellings.ts'
import { pushWithoutRestarts, restartTakesOthersAlong } from './wrong-decisions.ts'
import { failAtOnce, formOfTheLast, mergeTheLastThatPassed } from './wrong-rules.ts'

const quiet = inLanes(submit(0, 1, 2, 3, 4))
const slowFirst = { runMinutes: [30, 30, 10, 10] }
const broken = inLanes(submit(0, 1, 2, 3, 4), { facts: { breaks: [2] } })
const batches = inLanes(submit(0, 1, 3, 2, 4), {
  configuration: { batch: true, batchingMinSize: 2 },
})
const bisected = inLanes([...submit(0, 5, 1, 2, 3), submitAs(0, 4, { noBatch: true })], {
  configuration: { batch: true, batchingMinSize: 4, bisectionConcurrency: 1 },
  facts: { breaks: [5, 1, 2, 3] },
})

const testsThird = ({ tested }: TestRun): boolean => tested.includes(3)
const withoutBase = (): Partial<TestRun> => ({ base: [], submissions: [3] })

const green = (number: number) =>
  at(0, { type: 'reportPullRequest', number, greenOnTip: true } as const)

const moved = { type: 'pullRequestMoved', reason: null, testRun: null } as const

export const cases: readonly {
  readonly property: string
  readonly world: World
  readonly wrongly: string
  readonly telling: Telling
  readonly story: RegExp
}[] = [
  {
    property: 'trunk-stays-green',
    world: quiet,
    wrongly: 'a run lacks its predecessor',
    telling: bendingRuns(testsThird, withoutBase),
    story: /With pull request 3 merged .* has not tested/,
  },
  {
    property: 'trunk-stays-green',
    world: inLanes(submit(0, 1, 2, 3, 4)),
    wrongly: 'what merged breaks',
    telling: believing({ breaks: [2] }),
    story: /pull request 2 merged .* the branch is broken/,
  },
  {
    property: 'judged-by-truth',
    world: broken,
    wrongly: 'an innocent is FAILED',
    telling: believing({}),
    story: /Pull request 2 FAILED for run \d, and does not break/,
  },
  {
    property: 'evidence-is-true',
    world: broken,
    wrongly: 'the evidence names a run of another lane',
    telling: bending((event) =>
      event.type === 'pullRequestMoved' && event.evidence
        ? [{ ...event, evidence: { ...event.evidence, failedIn: 1 } }]
        : [event],
    ),
    story: /Pull request 2 FAILED .* run 1 did not test it/,
  },
  {
    property: 'serial-oracle',
    world: broken,
    wrongly: 'somebody is FAILED who would have merged',
    telling: believing({}),
    story: /Pull request 2 FAILED, and in a queue .* would have merged/,
  },
  {
    property: 'serial-oracle',
    world: inLanes(submit(0, 4, 1, 3), {
      facts: { pairs: [[1, 3]] },
      configuration: { concurrency: 1 },
    }),
    wrongly: 'somebody is overtaken in his lane by one who excludes him',
    telling: withEngine(engineWith({ formGroup: formOfTheLast })),
    story: /would have (?:merged|FAILED)/,
  },
  {
    property: 'merges-in-order',
    world: inLanes(submit(0, 1, 2, 3, 4), slowFirst),
    wrongly: 'one merges past its predecessor',
    telling: withEngine(engineWith({ merge: mergeTheLastThatPassed })),
    story: /Pull request 3 was to merge while pull request 1 ahead had not/,
  },
  {
    property: 'merges-are-seen-through',
    world: { ...quiet, mergeMinutes: 2 },
    wrongly: 'one that is being merged is taken back',
    telling: bending((event) =>
      event.type === 'mergeRequested'
        ? [event, { ...moved, number: event.number, from: 'TESTS_PASSED', to: 'PENDING' }]
        : [event],
    ),
    story: /Pull request \d became PENDING/,
  },
  {
    property: 'clears-what-it-contains',
    world: quiet,
    wrongly: 'a run speaks for another lane',
    telling: bending((event) =>
      event.type === 'groupPassed' && event.group === 2
        ? [{ ...event, run: { ...event.run, id: 1, owner: { kind: 'main', group: 1 } } }]
        : [event],
    ),
    story: /run 1/,
  },
  {
    property: 'verdicts-stay-fresh',
    world: inLanes([...submit(0, 1, 2, 3, 4), at(5, { type: 'reportPush' })]),
    wrongly: 'a push to the branch restarts nobody',
    telling: withEngine(engineWith({}, { decide: pushWithoutRestarts })),
    story: /pull request [1-4]/,
  },
  {
    property: 'projected-base',
    world: quiet,
    wrongly: 'a run lacks its predecessor',
    telling: bendingRuns(testsThird, withoutBase),
    story: /tests 3 on none at tip 0, where the projected state is 1 on tip 0/,
  },
  {
    property: 'projected-base',
    world: quiet,
    wrongly: 'a run holds another lane',
    telling: bendingRuns(testsThird, () => ({ base: [1, 2] })),
    story: /tests 3 on 1 and 2 at tip 0, where the projected state is 1 on tip 0/,
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
    wrongly: 'two of a lane are known not to merge',
    telling: beginningWith({ type: 'pullRequestReported', number: 3, conflictsWith: [1] }),
    story: /was made of 3 and 1, which do not merge as text/,
  },
  {
    property: 'slots-respected',
    world: quiet,
    wrongly: 'more lanes are tested than there are slots',
    telling: beginningWith({ type: 'queueConfigured', set: { concurrency: 3 } }),
    story: /concurrency|4/,
  },
  {
    property: 'starts-in-order',
    world: inLanes(submit(0, 5, 1, 2, 3), { configuration: { concurrency: 1 } }),
    wrongly: 'the last comes first',
    telling: withEngine(engineWith({ formGroup: formOfTheLast })),
    story: /came into the line \(formed\)/,
  },
  {
    property: 'batches-well-formed',
    world: batches,
    wrongly: 'a batch is larger than it may be',
    telling: beginningWith({ type: 'queueConfigured', set: { batchingMinSize: 1 } }),
    story: /1 and 3/,
  },
  {
    property: 'nobody-waits-with-a-slot-free',
    world: inLanes(submit(0, 1, 2), { configuration: { concurrency: 1 } }),
    wrongly: 'a lane waits for another',
    telling: beginningWith({ type: 'queueConfigured', set: { concurrency: 2 } }),
    story: /2/,
  },
  {
    property: 'no-needless-restart',
    world: inLanes([...submit(0, 1, 2, 3, 4), at(5, { type: 'restartTests', number: 1 })]),
    wrongly: 'whoever restarts takes other lanes along',
    telling: withEngine(engineWith({}, { decide: restartTakesOthersAlong })),
    story: /nothing in its composition had changed/,
  },
  {
    property: 'lost-runs-get-three-tries',
    world: { ...quiet, oddRuns: { 2: 'errored' } },
    wrongly: 'a try is not counted',
    telling: bendingRuns(
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
    telling: withEngine(engineWith({ settleFailure: failAtOnce })),
    story: /3/,
  },
  {
    property: 'bisection-never-repeats',
    world: bisected,
    wrongly: 'one composition is tested twice',
    telling: bending((event) =>
      event.type === 'testRunStarted' && event.run.owner.kind === 'bisection'
        ? [event, { ...event, run: { ...event.run, id: event.run.id + 100 } }]
        : [event],
    ),
    story: /was under way on the same/,
  },
  {
    property: 'bisection-stays-cheap',
    world: bisected,
    wrongly: 'several are tried together for longer than can pay',
    telling: withEngine(
      engineWith({
        startBisectionRuns: mistaking(rules.startBisectionRuns, (queue) => ({
          judged: { count: 1000, failed: 0 },
          bisections: queue.bisections.map((bisection) => ({ ...bisection, size: 100 })),
        })),
      }),
    ),
    story: /where 7 must do/,
  },
  {
    property: 'direct-merges-are-green',
    world: inLanes([green(1), green(3), ...submit(0, 1, 3)], {
      configuration: { directMergeMode: 'always' },
    }),
    wrongly: 'what was green before its lane moved merges untested',
    telling: withEngine(
      engineWith({ mergeDirectly: mistaking(rules.mergeDirectly, () => ({ greenOnTip: [1, 3] })) }),
    ),
    story: /pull request 3 went to merge without a run/,
  },
  {
    property: 'only-the-ready-start',
    world: inLanes(submit(0, 1, 2, 9)),
    wrongly: 'one whose targets nobody knows is tested',
    telling: withEngine(
      evolvingAs((event) =>
        event.type === 'pullRequestSubmitted' ? { ...event, state: 'PENDING' } : event,
      ),
    ),
    story: /pull request 9 came into the line/,
  },
  {
    property: 'one-state-along-the-table',
    world: quiet,
    wrongly: 'somebody skips a state',
    telling: bending((event) =>
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
    telling: beginningWith({
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
    wrongly: 'somebody new starts while modes are switched',
    telling: beginningWith({
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
    wrongly: 'a group leaves with somebody in it',
    telling: bending((event) =>
      event.type === 'groupPassed' ? [{ type: 'groupLeft', group: event.group }, event] : [event],
    ),
    story: /left the line with pull request/,
  },
  {
    property: 'wake-is-armed',
    world: quiet,
    wrongly: 'no wake-up is told of',
    telling: bending((event) => (event.type === 'wakeScheduled' ? [] : [event])),
    story: /wake/,
  },
  {
    property: 'everything-ends',
    world: broken,
    wrongly: 'a failure is never acted upon',
    telling: withEngine(engineWith({ settleFailure: () => false })),
    story: /In the end 2 \(PENDING_FAILURE\)/,
  },
]
