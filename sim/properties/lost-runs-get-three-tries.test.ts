import { describe, expect, test } from 'vitest'
import { engineParts, type Event } from '../../engine/index.ts'
import { lostRunsGetThreeTries } from './lost-runs-get-three-tries.ts'
import { alteredStep, engineWithRules } from './testing/defects.ts'
import { drive, type StreamSpec } from './testing/drive.ts'
import { submit } from './testing/script.ts'
import { findingsOf, altered, checkProperties } from './testing/watched.ts'

const decidingAs = (alter: (event: Event) => readonly Event[]) =>
  engineWithRules(
    {},
    { decide: (step, command) => engineParts.decide(alteredStep(step, alter), command) },
  )

describe('lost-runs-get-three-tries', () => {
  const lostOnce: StreamSpec = { faultyRuns: { 1: 'errored' }, script: submit(0, 1) }
  const lostForGood: StreamSpec = {
    faultyRuns: { 1: 'errored', 2: 'errored', 3: 'errored' },
    script: submit(0, 1),
  }

  test('holds for a run that is lost once and for one that is lost three times', () => {
    expect(findingsOf(lostRunsGetThreeTries, lostOnce)).toMatchObject({ checks: 1, violations: [] })
    expect(findingsOf(lostRunsGetThreeTries, lostForGood)).toMatchObject({
      checks: 3,
      violations: [],
    })
  })

  test('holds for a run of a bisection', () => {
    const world: StreamSpec = {
      configuration: { batch: true, batchingMinSize: 2, bisectionConcurrency: 1 },
      facts: { breaks: [2] },
      faultyRuns: { 2: 'errored', 3: 'errored' },
      script: submit(0, 1, 2),
    }
    expect(findingsOf(lostRunsGetThreeTries, world)).toMatchObject({ checks: 2, violations: [] })
  })

  test('is violated when a lost run is repeated at once and its tries are forgotten', () => {
    const wrong = decidingAs((event) => [
      event.type === 'groupRestarted' ? { ...event, retry: null } : event,
    ])
    expect(findingsOf(lostRunsGetThreeTries, lostOnce, wrong).stories).toEqual([
      'Run 2 started at minute 10 as try 1, but run 1, which was lost, is due at minute 11 as try 2.',
    ])
  })

  test('is violated when a lost run is repeated too early', () => {
    const wrong = decidingAs((event) => [
      event.type === 'groupRestarted' && event.retry
        ? { ...event, retry: { ...event.retry, notBefore: event.retry.notBefore - 1 } }
        : event,
    ])
    expect(findingsOf(lostRunsGetThreeTries, lostOnce, wrong).stories).toHaveLength(1)
  })

  test('is violated when a lost run counts as failed after fewer tries', () => {
    const tooEarly = altered(drive(lostForGood), (event) => {
      if (event.type !== 'testRunStarted') return [event]
      return [{ ...event, run: { ...event.run, attempt: Math.min(event.run.attempt, 1) } }]
    })
    expect(checkProperties([lostRunsGetThreeTries], lostForGood, tooEarly).stories).toContain(
      'Pull request 1 failed for the lost run 3 after 2 tries.',
    )
  })
})
