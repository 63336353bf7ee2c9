/** For each property a fault in parallel mode, and the story of the violation. */

import { none, ofType, withoutRules } from '../../run/altered-engines.ts'
import type { StreamSpec } from './drive.ts'
import { inLanes } from './in-lanes.ts'
import { at, submit, submitAs } from './script.ts'
import { withTruth, alteringEvents, withEngine, type Alteration } from './alterations.ts'
import { defectNamed } from '../../defects/index.ts'

const quiet = inLanes(submit(0, 1, 2, 3, 4))
const broken = inLanes(submit(0, 1, 2, 3, 4), { facts: { breaks: [2] } })
const slow = { ...inLanes(submit(0, 1, 2, 3, 4)), mergeMinutes: 2 }
const moved = { type: 'pullRequestMoved', reason: null, testRun: null } as const

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
    property: 'serial-oracle',
    world: broken,
    wrongly: 'a pull request is FAILED that would have merged',
    alteration: withTruth({}),
    story: /Pull request 2 FAILED, but in a queue .* would have merged/,
  },
  {
    property: 'flakes-are-shown',
    world: inLanes([...submit(0, 1, 2, 3), at(15, { type: 'restartTests', number: 1 })], {
      configuration: { pendingFailureDepth: 1 },
      faultyRuns: { 1: 'flakes' },
      runMinutes: [60, 10, 60],
    }),
    wrongly: 'a flake is not noticed',
    alteration: alteringEvents(none('verdictContradicted')),
    story: /The failure of run 1 does not count as a flake/,
  },
  {
    property: 'one-state-along-the-table',
    world: quiet,
    wrongly: 'a pull request skips a state',
    alteration: alteringEvents((event) =>
      event.type === 'pullRequestMoved' && event.to === 'TESTS_PASSED' ? [] : [event],
    ),
    story: /contradicts the state/,
  },
  {
    property: 'everything-ends',
    world: broken,
    wrongly: 'a failure is never acted upon',
    alteration: withEngine(withoutRules('settleFailure')),
    story: /At the end 2 \(PENDING_FAILURE\)/,
  },
  {
    property: 'flaky-tests-are-noticed',
    world: inLanes([...submit(0, 1, 3), at(15, { type: 'restartTests', number: 3 })], {
      faultyRuns: { 3: 'flakes' },
      runMinutes: [10, 60, 10],
    }),
    wrongly: 'a test that failed in one of two runs of the same is not known to flake',
    alteration: alteringEvents((event) =>
      event.type === 'verdictRecorded' && event.testRun === 3
        ? [{ ...event, failedTests: ['another'] }]
        : [event],
    ),
    story: /is not known to flake/,
  },
  {
    property: 'merges-are-seen-through',
    world: slow,
    wrongly: 'a pull request moves while the code host merges it',
    alteration: alteringEvents(
      ofType('mergeRequested', (event) => [
        event,
        { ...moved, number: event.number, from: 'TESTS_PASSED', to: 'PENDING' },
      ]),
    ),
    story: /Pull request \d became PENDING/,
  },
  {
    property: 'quarantine-is-kept',
    world: inLanes([
      at(0, { type: 'quarantineTest', test: { name: 'clock > strikes' } }),
      ...submit(0, 1, 2),
    ]),
    wrongly: 'a test enters the quarantine by itself',
    alteration: alteringEvents(
      ofType('testRunFinished', (event) => [
        event,
        { type: 'testQuarantined', test: 'door > opens', entry: { since: 0 } },
      ]),
    ),
    story: /Test door > opens is in quarantine since 0, and nobody asked for it/,
  },
  {
    property: 'stacks-stay-whole',
    world: inLanes([...submit(0, 2), submitAs(0, 3, { dependsOn: [2] })], {
      facts: { breaks: [2] },
    }),
    wrongly: 'one stays when what it depends on has left',
    alteration: withEngine(defectNamed('stays-without-what-it-depends-on').parts),
    story: /Pull request 3 stayed in the queue when pull request 2, on which it depends, had left/,
  },
]
