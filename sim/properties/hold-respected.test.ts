import { describe, expect, test } from 'vitest'
import { rules, type Configuration, type Event, type ImpactedTargets } from '../../engine/index.ts'
import { defects } from '../defects/index.ts'
import { holdRespected } from './hold-respected.ts'
import { alteringEvents, engineWithRules, withMisreadQueue, nothing } from './testing/defects.ts'
import type { StreamSpec } from './testing/drive.ts'
import { at, cancel, submit, submitAs, update } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'
import { failAtOnce } from './testing/wrong-rules.ts'

/** Run 1 takes 10 minutes, run 2 takes 20, run 3 takes 30, and so on in rotation. */
const runMinutes = [30, 10, 20]

/** 1 fails first, while 2 and 3 are still tested behind it. */
const inLine = (configuration: Partial<Configuration>, more: Partial<StreamSpec> = {}) => ({
  configuration: { concurrency: 3, pendingFailureDepth: 2, ...configuration },
  facts: { breaks: [1] },
  runMinutes,
  script: submit(0, 1, 2, 3),
  ...more,
})

/** A world in parallel mode in which 1 fails, while the others wait to start. */
const behindInLanes = (
  touched: Readonly<Record<number, ImpactedTargets>>,
  batchingMinSize: number,
  script: StreamSpec['script'],
): StreamSpec => {
  const uploads = Object.entries(touched).map(([number, targets]) =>
    at(0, { type: 'setImpactedTargets', number: Number(number), targets }),
  )
  return {
    configuration: {
      mode: 'parallel',
      pendingFailureDepth: 1,
      batch: true,
      batchingMinSize,
      batchingMaxWaitTimeMinutes: 60,
    },
    facts: { breaks: [1] },
    runMinutes: [10],
    script: [...uploads, submitAs(0, 1, { noBatch: true }), ...script],
  }
}

/** 3 and 4 fill a batch. 4 waits for 2, which is tested alone in a lane without 1 and starts then. */
const fillsBehindOneAlone = behindInLanes({ 1: ['a'], 2: ['c'], 3: ['a'], 4: ['a', 'c'] }, 3, [
  update(1, { concurrency: 1 }),
  submitAs(2, 2, { noBatch: true }),
  ...submit(2, 3, 4),
])

/** 4 and 5 fill a batch that waits for 3, which is tested alone. 3 waits for 2, whose batch fills. */
const fullBehindOneAlone = behindInLanes(
  { 1: 'ALL', 2: ['b'], 3: ['b', 'c'], 4: ['d'], 5: ['d', 'c'] },
  2,
  [...submit(2, 2), submitAs(2, 3, { noBatch: true }), ...submit(2, 4, 5)],
)

/** 2 is to be tested again on top of 1, but nothing starts for an hour. */
const pausedAfterTheFailure = [
  ...submit(0, 1, 2),
  update(11, { state: 'PAUSED' }),
  at(12, { type: 'restartTests', number: 2 }),
  update(60, { state: 'RUNNING' }),
]

const settlingWith = (change: Partial<Configuration>) =>
  engineWithRules({
    settleFailure: withMisreadQueue(rules.settleFailure, ({ configuration }) => ({
      configuration: { ...configuration, ...change },
    })),
  })

describe('hold-respected', () => {
  // E-117
  test('holds with and without pending failure depth', () => {
    for (const pendingFailureDepth of [0, 1, 2, 5]) {
      const { checks, violations } = findingsOf(holdRespected, inLine({ pendingFailureDepth }))
      expect(violations).toEqual([])
      expect(checks).toBeGreaterThan(0)
    }
  })

  // E-131, E-132, E-133
  test.each<[string, StreamSpec]>([
    ['a successor is lost', inLine({ pendingFailureDepth: 1 }, { faultyRuns: { 2: 'errored' } })],
    ['a successor leaves', inLine({}, { script: [...submit(0, 1, 2, 3), cancel(15, 2)] })],
    [
      'a successor is restarted',
      inLine(
        {},
        {
          script: [
            ...submit(0, 1, 2),
            at(12, { type: 'restartTests', number: 2 }),
            ...submit(25, 3),
          ],
        },
      ),
    ],
    [
      'the queue is PAUSED until after the longest wait',
      inLine(
        { testingTimeoutMinutes: 30 },
        {
          script: pausedAfterTheFailure,
        },
      ),
    ],
    [
      'a batch fills behind it',
      inLine(
        { batch: true, batchingMinSize: 2, concurrency: 1 },
        { script: [submitAs(0, 1, { noBatch: true }), ...submit(8, 2)] },
      ),
    ],
    ['a batch fills behind it, and a member waits for one tested alone', fillsBehindOneAlone],
    ['a full batch waits for one tested alone that waits for a batch', fullBehindOneAlone],
  ])('holds when %s', (_case, world) => {
    expect(findingsOf(holdRespected, world).violations).toEqual([])
  })

  test('is violated when a failure counts while a predecessor is still tested', () => {
    const wrong = engineWithRules({ settleFailure: failAtOnce })
    const hasty = {
      ...inLine({}),
      configuration: {},
      facts: { breaks: [2] },
      runMinutes: [10, 30],
      script: submit(0, 1, 2),
    }
    expect(findingsOf(holdRespected, hasty).violations).toEqual([])
    const slowFirst = { ...hasty, runMinutes: [10, 30, 20] }
    expect(findingsOf(holdRespected, slowFirst, wrong).stories).toEqual([
      'The failure of pull request 2 in run 2 led to FAILED at minute 20, before pull request 1 in its base had merged.',
    ])
  })

  // E-117
  test('is violated when a failure counts before any verdict', () => {
    expect(
      findingsOf(holdRespected, inLine({}), settlingWith({ pendingFailureDepth: 0 })).stories,
    ).toEqual([
      'The failure of pull request 1 led to FAILED at minute 10, before runs 2 and 3 behind it had ended.',
    ])
  })

  test('is violated when a failure counts with a verdict too few', () => {
    expect(
      findingsOf(holdRespected, inLine({}), settlingWith({ pendingFailureDepth: 1 })).stories,
    ).toEqual([
      'The failure of pull request 1 led to FAILED at minute 20, before run 3 behind it had ended.',
    ])
  })

  test('is violated when a failure waits for a verdict too many', () => {
    const world = inLine({ pendingFailureDepth: 1 })
    expect(
      findingsOf(holdRespected, world, settlingWith({ pendingFailureDepth: 2 })).stories,
    ).toEqual([
      'At minute 20 the failure of pull request 1 has nothing left to wait for, but is not acted upon.',
    ])
  })

  test('is violated when a failure is never acted upon', () => {
    const wrong = engineWithRules({ settleFailure: nothing })
    expect(findingsOf(holdRespected, inLine({}), wrong).stories[0]).toBe(
      'At minute 30 the failure of pull request 1 has nothing left to wait for, but is not acted upon.',
    )
  })

  test('is violated when the longest wait for a successor ends too early', () => {
    const early = (event: Event): Event[] => [
      event.type === 'holdStarted' ? { ...event, heldUntil: event.heldUntil - 60_000 } : event,
    ]
    const wrong = engineWithRules({ startHold: alteringEvents(rules.startHold, early) })
    expect(findingsOf(holdRespected, inLine({}), wrong).stories).toEqual([
      'The failure of pull request 1 waits for successors without a run until minute 309, but it has to until minute 310.',
    ])
  })
})

describe('hold-respected with a defect', () => {
  test.each<[string, StreamSpec, string]>([
    [
      'hold-ends-with-a-lost-run',
      inLine(
        { pendingFailureDepth: 1, concurrency: 2 },
        { faultyRuns: { 2: 'errored' }, script: submit(0, 1, 2) },
      ),
      'The failure of pull request 1 led to FAILED at minute 20, before pull request 2 behind it had been tested.',
    ],
    [
      'hold-ends-with-a-restart',
      inLine({}, { script: [...submit(0, 1, 2), at(12, { type: 'restartTests', number: 2 })] }),
      'The failure of pull request 1 led to FAILED at minute 12, before pull request 2 behind it had been tested.',
    ],
    [
      'later-successor-not-awaited',
      inLine({ concurrency: 1 }, { script: submit(0, 1, 2) }),
      'The failure of pull request 1 led to FAILED at minute 10, before pull requests that wait to start had been tested.',
    ],
    [
      'passes-end-no-hold',
      inLine(
        { concurrency: 2, pendingFailureDepth: 1 },
        { facts: {}, faultyRuns: { 1: 'flakes' } },
      ),
      'At minute 20 the failure of pull request 1 has nothing left to wait for, but is not acted upon.',
    ],
    [
      'hold-has-no-end',
      inLine(
        { testingTimeoutMinutes: 30 },
        {
          script: pausedAfterTheFailure,
        },
      ),
      'At minute 40 the failure of pull request 1 has nothing left to wait for, but is not acted upon.',
    ],
  ])('is violated by the defect %s', (name, world, story) => {
    const parts = defects.find((defect) => defect.name === name)?.parts
    expect(findingsOf(holdRespected, world).stories).toEqual([])
    expect(findingsOf(holdRespected, world, parts).stories[0]).toBe(story)
  })
})
