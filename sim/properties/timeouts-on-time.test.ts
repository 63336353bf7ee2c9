import { describe, expect, test } from 'vitest'
import { rules, type QueueView } from '../../engine/index.ts'
import { engineWithRules, withMisreadQueue } from './testing/defects.ts'
import { submit, update } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'
import { timeoutsOnTime } from './timeouts-on-time.ts'

describe('timeouts-on-time', () => {
  const script = [...submit(0, 1), update(5, { testingTimeoutMinutes: 15 })]
  const configuration = { concurrency: 1, testingTimeoutMinutes: 30 }
  const world = { configuration, faultyRuns: { 1: 'hangs' }, script } as const

  // E-64
  test('holds for a run that hangs, which keeps the timeout that was set when it started', () => {
    expect(findingsOf(timeoutsOnTime, world)).toMatchObject({ checks: 1, violations: [] })
  })

  test('is violated when a shorter timeout ends a run that started before', () => {
    const early = ({ testRuns }: QueueView): Partial<QueueView> => ({
      nextDeadline: 0,
      testRuns: Object.fromEntries(
        Object.entries(testRuns).map(([id, run]) => [id, { ...run, deadline: 0 }]),
      ),
    })
    const wrong = engineWithRules({ expireRuns: withMisreadQueue(rules.expireRuns, early) })
    expect(findingsOf(timeoutsOnTime, world, wrong).stories[0]).toBe(
      'Run 1 of pull request 1 timed out at minute 5, although it had until minute 30.',
    )
  })
})
