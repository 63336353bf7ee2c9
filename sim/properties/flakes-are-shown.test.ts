import { describe, expect, test } from 'vitest'
import type { Event } from '../../engine/index.ts'
import { flakesAreShown } from './flakes-are-shown.ts'
import { alteringEventsOf, ofType } from '../run/altered-engines.ts'
import { drive } from './testing/drive.ts'
import { at, submit } from './testing/script.ts'
import { altered, checkProperties, findingsOf } from './testing/watched.ts'

describe('flakes-are-shown', () => {
  // The run of the batch of 1 and 2 fails, and passes when it is repeated during the hold.
  const repeated = {
    configuration: { batch: true, batchingMinSize: 2, pendingFailureDepth: 1, concurrency: 2 },
    faultyRuns: { 1: 'flakes' },
    runMinutes: [60, 10],
    script: [...submit(0, 1, 2, 3, 4), at(15, { type: 'restartTests', number: 1 })],
  } as const
  // Prefix 1 fails, and prefix 1 2 passes because 2 repairs 1.
  const mended = {
    configuration: { batch: true, batchingMinSize: 3, bisectionConcurrency: 3 },
    facts: { breaks: [1, 3], fixes: [[2, 1]] },
    script: submit(0, 1, 2, 3),
  } as const

  test('holds for a composition that failed and passed, and for a bisection', () => {
    expect(findingsOf(flakesAreShown, repeated)).toMatchObject({ checks: 2, violations: [] })
    expect(findingsOf(flakesAreShown, mended).violations).toEqual([])
  })

  // E-82
  test('is violated when a failure counts as a flake without a run that shows it', () => {
    const wrong = alteringEventsOf(
      'advanceBisection',
      ofType('memberConvicted', (event) => [
        { type: 'verdictContradicted', testRun: 1, flakyTests: [] },
        event,
      ]),
    )
    expect(findingsOf(flakesAreShown, mended, wrong).stories).toContain(
      'The failure of run 1 counts as a flake, but its composition has not passed and no successor cleared its group.',
    )
  })

  // E-82
  test('is violated when a flake is not noticed', () => {
    const silent = (event: Event): Event[] => (event.type === 'verdictContradicted' ? [] : [event])
    const { stories } = checkProperties(
      [flakesAreShown],
      repeated,
      altered(drive(repeated), silent),
    )
    expect(stories).toEqual([
      'The failure of run 1 does not count as a flake, although run 3 contradicts it.',
    ])
  })
})
