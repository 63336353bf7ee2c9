import { describe, expect, test } from 'vitest'
import { judgedByTruth } from './judged-by-truth.ts'
import { engineWith } from './testing/defects.ts'
import { at, conflict, submit } from './testing/script.ts'
import { find } from './testing/watched.ts'
import { failAtOnce, failConflictsAtOnce } from './testing/wrong-rules.ts'

describe('judged-by-truth', () => {
  const world = { facts: { breaks: [1] }, script: submit(0, 1, 2) }

  test('holds when only the one that breaks is FAILED', () => {
    const { checks, violations } = find(judgedByTruth, world)
    expect(violations).toEqual([])
    expect(checks).toBe(1)
  })

  test('holds for a pair that breaks together: the later one breaks what it was put on', () => {
    const pair = { facts: { pairs: [[1, 2]] }, script: submit(0, 1, 2) } as const
    const { checks, violations } = find(judgedByTruth, pair)
    expect(violations).toEqual([])
    expect(checks).toBe(1)
  })

  test('holds in a bisection in which one mends what another breaks', () => {
    const mended = {
      configuration: { batch: true, batchingMinSize: 4 },
      facts: { breaks: [1, 4], fixes: [[2, 1]] },
      script: submit(0, 1, 2, 3, 4),
    } as const
    expect(find(judgedByTruth, mended).violations).toEqual([])
  })

  test('excuses whoever is put on a branch that was broken by hand', () => {
    const byHand = { ...world, script: [...submit(0, 1, 2), at(1, mergedByHand(1))] }
    expect(find(judgedByTruth, byHand).violations).toEqual([])
  })

  test('is violated when a failure counts before the predecessor has left', () => {
    const wrong = engineWith({ settleFailure: failAtOnce })
    const hasty = { ...world, runMinutes: [5, 10] }
    expect(find(judgedByTruth, hasty, wrong).stories).toEqual([
      'Pull request 2 FAILED for run 2, and does not break what it was put on: tip 0 with 1.',
    ])
  })

  test('is violated when a conflict is acted upon before the other has merged', () => {
    const conflicting = {
      facts: { conflicts: [[1, 2]] },
      script: [conflict(0, 1, 2), ...submit(0, 1, 2)],
    } as const
    const wrong = engineWith({ settleConflict: failConflictsAtOnce })
    expect(find(judgedByTruth, conflicting).violations).toEqual([])
    expect(find(judgedByTruth, conflicting, wrong).stories).toEqual([
      'Pull request 2 FAILED for a text conflict, and conflicts with nothing on the branch.',
    ])
  })
})

const mergedByHand = (number: number) => ({ type: 'reportManualMerge', number }) as const
