import { describe, expect, test } from 'vitest'
import { engineParts } from '../../engine/index.ts'
import { noNeedlessRestart } from './no-needless-restart.ts'
import { engineWithRules } from './testing/defects.ts'
import { inLanes } from './testing/in-lanes.ts'
import { at, cancel, submit, submitAs } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'
import { restartTakesOthersAlong, submissionsRestartTheLine } from './testing/wrong-decisions.ts'

describe('no-needless-restart', () => {
  const line = submit(0, 1, 2, 3)
  const asked = { script: [...line, at(1, { type: 'restartTests', number: 1 })] }

  // E-118
  test.each([
    ['a predecessor fails', { facts: { breaks: [1] }, script: line }],
    ['a predecessor is cancelled', { script: [...line, cancel(1, 2)] }],
    ['a restart is requested', asked],
    ['the branch is pushed to', { script: [...line, at(1, { type: 'reportPush' })] }],
    ['an urgent pull request is submitted', { script: [...line, submitAs(1, 4, { priority: 0 })] }],
    ['a run is lost', { script: line, faultyRuns: { 1: 'errored' } as const }],
    ['the code host refuses a merge', { script: line, mergeMinutes: 1, refuses: [1] }],
    [
      'a pull request is merged by hand out of turn',
      { script: [...line, at(1, { type: 'reportManualMerge', number: 2 })] },
    ],
    [
      'a successor clears its group',
      { configuration: { canOptimisticallyMerge: true }, runMinutes: [5, 10], script: line },
    ],
  ])('holds for restarts because %s', (_case, world) => {
    const { checks, violations } = findingsOf(noNeedlessRestart, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test('holds when the first pull request in the line is merged by hand and no other restarts', () => {
    const script = [...line, at(1, { type: 'reportManualMerge', number: 1 })]
    expect(findingsOf(noNeedlessRestart, { script })).toMatchObject({ checks: 1, violations: [] })
  })

  test('is violated when a requested restart also restarts other groups', () => {
    const wrong = engineWithRules({}, { decide: restartTakesOthersAlong })
    expect(findingsOf(noNeedlessRestart, asked, wrong).stories).toEqual([
      'At minute 1 run 2 was cancelled (TESTS_RESTARTED_BY_API_REQUEST), although nothing in its composition had changed.',
      'At minute 1 group 2 of pull request 2 restarted (TESTS_RESTARTED_BY_API_REQUEST), although nothing in its composition had changed.',
      'At minute 1 run 3 was cancelled (TESTS_RESTARTED_BY_API_REQUEST), although nothing in its composition had changed.',
      'At minute 1 group 3 of pull request 3 restarted (TESTS_RESTARTED_BY_API_REQUEST), although nothing in its composition had changed.',
    ])
  })

  describe('in a bisection', () => {
    const bisected = {
      configuration: { batch: true, batchingMinSize: 2, bisectionConcurrency: 1 },
      facts: { breaks: [2] },
      script: [
        ...submit(0, 1, 2),
        at(12, { type: 'restartTests', number: 2 }),
        at(14, { type: 'restartTests', number: 1 }),
      ],
    } as const

    // E-84
    test('holds for a restart of a member that is tested, and of one that waits', () => {
      const { checks, violations } = findingsOf(noNeedlessRestart, bisected)
      expect(violations).toEqual([])
      expect(checks).toBe(2)
    })

    // E-84, E-85
    test('holds when a run goes on that can change nothing, because it holds a convicted member', () => {
      const world = {
        configuration: { batch: true, batchingMinSize: 2, bisectionConcurrency: 3 },
        facts: { breaks: [1] },
        // Run 2 tests 1, and run 3 is the second look at the batch. Run 4 tests 2.
        runMinutes: [10, 10, 5, 20],
        script: [...submit(0, 1, 2), at(18, { type: 'restartTests', number: 2 })],
      } as const
      const { checks, violations } = findingsOf(noNeedlessRestart, world)
      expect(violations).toEqual([])
      // The cancelled run, and the request.
      expect(checks).toBe(2)
    })

    // E-84
    test('is violated when a requested restart repeats no run', () => {
      const wrong = engineWithRules(
        {},
        {
          decide: (step, command) =>
            command.type === 'restartTests' ? null : engineParts.decide(step, command),
        },
      )
      expect(findingsOf(noNeedlessRestart, bisected, wrong).stories).toEqual([
        'At minute 14 a restart was requested, but run 2 goes on.',
      ])
    })
  })

  // E-118
  test('is violated when a submission restarts the line', () => {
    const wrong = engineWithRules({}, { decide: submissionsRestartTheLine })
    const script = [...submit(0, 1), ...submit(1, 2)]
    expect(findingsOf(noNeedlessRestart, { script }, wrong).stories).toEqual([
      'At minute 1 run 1 was cancelled (SKIP_THE_LINE_INTERRUPTED), although nothing in its composition had changed.',
      'At minute 1 group 1 of pull request 1 restarted (SKIP_THE_LINE_INTERRUPTED), although nothing in its composition had changed.',
    ])
  })

  describe('with uploads of targets', () => {
    const upload = at(1, { type: 'setImpactedTargets', number: 2, targets: ['b'] })
    const restarts = at(2, { type: 'restartTests', number: 2 })
    const lanes = inLanes([...submit(0, 1, 2), upload, restarts])

    // E-94
    test('holds when a group takes new targets at its next start', () => {
      const { checks, violations } = findingsOf(noNeedlessRestart, lanes)
      expect(violations).toEqual([])
      // The cancelled run, and the restart.
      expect(checks).toBe(2)
    })

    // E-143
    test('is violated when an upload restarts a group that shares no target with others', () => {
      const wrong = engineWithRules(
        {},
        {
          decide: (step, command) =>
            command.type === 'setImpactedTargets' && step.at > 0
              ? engineParts.decide(step, { ...command, type: 'restartTests' })
              : engineParts.decide(step, command),
        },
      )
      const alone = inLanes([...submit(0, 1, 2), upload])
      expect(findingsOf(noNeedlessRestart, alone, wrong).stories).toEqual([
        'At minute 1 run 2 was cancelled (TESTS_RESTARTED_BY_API_REQUEST), although nothing in its composition had changed.',
        'At minute 1 group 2 of pull request 2 restarted (TESTS_RESTARTED_BY_API_REQUEST), although nothing in its composition had changed.',
      ])
    })
  })
})
