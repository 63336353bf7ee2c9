import { describe, expect, test } from 'vitest'
import type { Event, Evidence } from '../../engine/index.ts'
import { evidenceIsTrue } from './evidence-is-true.ts'
import { drive } from './testing/drive.ts'
import { submit, submitAs } from './testing/script.ts'
import { findingsOf, altered, checkProperties } from './testing/watched.ts'

describe('evidence-is-true', () => {
  // Run 1 of the batch fails, run 2 proves 1, and run 3 convicts 2 on top of 1.
  const world = {
    configuration: { batch: true, batchingMinSize: 3, bisectionConcurrency: 1 },
    facts: { breaks: [2] },
    script: submit(0, 1, 2, 3),
  }
  const withEvidence = (change: Partial<Evidence> | null) => {
    const alter = (event: Event): Event[] => {
      if (event.type !== 'pullRequestMoved' || !event.evidence) return [event]
      const { evidence, ...move } = event
      return [change ? { ...move, evidence: { ...evidence, ...change } } : move]
    }
    return checkProperties([evidenceIsTrue], world, altered(drive(world), alter)).stories
  }

  test('holds for the evidence that the engine gives', () => {
    const { checks, violations } = findingsOf(evidenceIsTrue, world)
    expect(violations).toEqual([])
    expect(checks).toBe(1)
  })

  // E-182
  test('holds for a culprit found by elimination alone', () => {
    const last = { ...world, facts: { breaks: [3] } }
    expect(findingsOf(evidenceIsTrue, last)).toMatchObject({ checks: 1, violations: [] })
  })

  // E-85, E-182
  test('holds without a run that could not change what is known when it passed', () => {
    // Run 3 proves 1 and 2 before run 2 passes with 1 alone. The host refuses 2, and 3 is convicted.
    const moot = {
      configuration: { batch: true, batchingMinSize: 3, bisectionConcurrency: 2 },
      facts: { breaks: [3] },
      mergeMinutes: 1,
      refuses: [2],
      runMinutes: [10, 10, 12, 10],
      script: submit(0, 1, 2, 3),
    }
    const { checks, violations } = findingsOf(evidenceIsTrue, moot)
    expect(violations).toEqual([])
    expect(checks).toBe(2)
  })

  test.each<[string, Partial<Evidence> | null, string]>([
    ['is missing', null, 'no evidence came with it'],
    ['names a run that never was', { failedIn: 99 }, 'run 99 is not known'],
    ['names a run that did not test it', { failedIn: 2 }, 'run 2 did not test it'],
    ['names a run that others failed', { failedIn: 1 }, 'run 1 does not fit that reason'],
    ['names a contrast that failed', { passedWithout: 1 }, 'run 1 has not passed'],
    ['names no run', { failedIn: null }, 'run none is not known'],
    [
      'names no contrast',
      { passedWithout: null },
      'run 2 passed on the same without it, and none is named',
    ],
    ['names other tests', { failedTests: [{ name: 'x' }] }, 'the tests that failed were 0, not 1'],
  ])('is violated when the evidence %s', (_case, change, fault) => {
    const story = `Pull request 2 FAILED (TEST_RUN_REQUIRED_STATUS_FAILED), but ${fault}.`
    expect(withEvidence(change)).toEqual([story])
  })

  test('is violated when the run that passed tested another composition', () => {
    // Run 1 passes before the batch is formed.
    const later = {
      ...world,
      script: [submitAs(0, 9, { noBatch: true }), ...submit(20, 1, 2, 3)],
    }
    const alter = (event: Event): Event[] =>
      event.type === 'pullRequestMoved' && event.evidence
        ? [{ ...event, evidence: { ...event.evidence, passedWithout: 1 } }]
        : [event]
    expect(checkProperties([evidenceIsTrue], later, drive(later)).violations).toEqual([])
    expect(checkProperties([evidenceIsTrue], later, altered(drive(later), alter)).stories).toEqual([
      'Pull request 2 FAILED (TEST_RUN_REQUIRED_STATUS_FAILED), but run 1 is not the last that passed on the same without it.',
    ])
  })
})
