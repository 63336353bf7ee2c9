import { describe, expect, test } from 'vitest'
import { defectNamed } from '../defects/index.ts'
import { deciding } from '../run/altered-engines.ts'
import { cancel, submit, update } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'
import { cancelWithoutRestarts } from './testing/wrong-decisions.ts'
import { trunkStaysGreen } from './trunk-stays-green.ts'

describe('trunk-stays-green', () => {
  // 2 fixes 1: without 2, 1 must never merge.
  const facts = { breaks: [1], fixes: [[2, 1]] } as const
  const world = { configuration: { concurrency: 2 }, facts, script: submit(0, 1, 2) }

  // E-111
  test('holds when every state of the branch was tested before', () => {
    const { checks, violations } = findingsOf(trunkStaysGreen, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test('accepts a run that contains the state with optimistic merging', () => {
    const configuration = { concurrency: 2, canOptimisticallyMerge: true, pendingFailureDepth: 1 }
    expect(findingsOf(trunkStaysGreen, { ...world, configuration })).toMatchObject({
      checks: 2 + 1,
      violations: [],
    })
  })

  test('is violated when a successor clears its predecessor without optimistic merging', () => {
    const wrong = defectNamed('optimistic-unasked').parts
    // The run of the successor ends first.
    const hasty = { ...world, runMinutes: [5, 10] }
    expect(findingsOf(trunkStaysGreen, hasty, wrong).stories).toEqual([
      'After pull request 1 merged because of run 2, the branch is not what that run tested.',
      'After pull request 1 merged because of run 2, the branch is broken: its tests would fail.',
    ])
  })

  // E-111
  test('is violated when a predecessor is cancelled and no group restarts', () => {
    const script = [...submit(0, 1, 2), cancel(1, 1)]
    const wrong = deciding(cancelWithoutRestarts)
    expect(findingsOf(trunkStaysGreen, { ...world, script }).violations).toEqual([])
    expect(findingsOf(trunkStaysGreen, { ...world, script }, wrong).stories).toEqual([
      'After pull request 2 merged because of run 2, the branch is not what that run tested.',
    ])
  })

  test('excepts a batch with a refused member until the batch is tested again', () => {
    const refused = {
      configuration: { batch: true, batchingMinSize: 3 },
      mergeMinutes: 1,
      refuses: [2],
      script: [...submit(0, 1, 2, 3), update(0, { concurrency: 1 })],
    }
    // Only 3 is checked, because it was tested again without 2.
    expect(findingsOf(trunkStaysGreen, refused)).toMatchObject({ checks: 2, violations: [] })
  })
})
