import { describe, expect, test } from 'vitest'
import { parts, type Event } from '../../engine/index.ts'
import { lostRunsGetThreeTries } from './lost-runs-get-three-tries.ts'
import { bent, engineWith } from './testing/defects.ts'
import { drive, type World } from './testing/drive.ts'
import { submit } from './testing/script.ts'
import { find, tampered, watched } from './testing/watched.ts'

const decidingAs = (bend: (event: Event) => readonly Event[]) =>
  engineWith({}, { decide: (step, command) => parts.decide(bent(step, bend), command) })

describe('lost-runs-get-three-tries', () => {
  const lostOnce: World = { oddRuns: { 1: 'errored' }, script: submit(0, 1) }
  const lostForGood: World = {
    oddRuns: { 1: 'errored', 2: 'errored', 3: 'errored' },
    script: submit(0, 1),
  }

  test('holds for a run lost once, and for one lost for good', () => {
    expect(find(lostRunsGetThreeTries, lostOnce)).toMatchObject({ checks: 1, violations: [] })
    expect(find(lostRunsGetThreeTries, lostForGood)).toMatchObject({ checks: 3, violations: [] })
  })

  test('holds for a run of a bisection', () => {
    const world: World = {
      configuration: { batch: true, batchingMinSize: 2, bisectionConcurrency: 1 },
      facts: { breaks: [2] },
      oddRuns: { 2: 'errored', 3: 'errored' },
      script: submit(0, 1, 2),
    }
    expect(find(lostRunsGetThreeTries, world)).toMatchObject({ checks: 2, violations: [] })
  })

  test('is violated by a run that is made again at once, its tries forgotten', () => {
    const wrong = decidingAs((event) => [
      event.type === 'groupRestarted' ? { ...event, retry: null } : event,
    ])
    expect(find(lostRunsGetThreeTries, lostOnce, wrong).stories).toEqual([
      'Run 2 started at minute 10 as try 1 of run 1, due again at minute 11 as try 2.',
    ])
  })

  test('is violated by a run that is made again too early', () => {
    const wrong = decidingAs((event) => [
      event.type === 'groupRestarted' && event.retry
        ? { ...event, retry: { ...event.retry, notBefore: event.retry.notBefore - 1 } }
        : event,
    ])
    expect(find(lostRunsGetThreeTries, lostOnce, wrong).stories).toHaveLength(1)
  })

  test('is violated by a failure after fewer tries', () => {
    const tooEarly = tampered(drive(lostForGood), (event) => {
      if (event.type !== 'testRunStarted') return [event]
      return [{ ...event, run: { ...event.run, attempt: Math.min(event.run.attempt, 1) } }]
    })
    expect(watched([lostRunsGetThreeTries], lostForGood, tooEarly).stories).toContain(
      'Pull request 1 failed for the lost run 3 after 2 tries.',
    )
  })
})
