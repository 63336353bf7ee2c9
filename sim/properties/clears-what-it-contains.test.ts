import { describe, expect, test } from 'vitest'
import { engineParts, type QueueView } from '../../engine/index.ts'
import { clearsWhatItContains } from './clears-what-it-contains.ts'
import { engineWithRules, misreadQueue } from './testing/defects.ts'
import { submit } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'

const decidingWith = (canOptimisticallyMerge: boolean) =>
  engineWithRules(
    {},
    {
      decide: (step, command) => {
        const misread = ({ configuration }: QueueView): Partial<QueueView> => ({
          configuration: { ...configuration, canOptimisticallyMerge },
        })
        return engineParts.decide({ ...step, queue: misreadQueue(step.queue, misread) }, command)
      },
    },
  )

describe('clears-what-it-contains', () => {
  // The run of the second ends before that of the first.
  const world = { runMinutes: [5, 10], script: submit(0, 1, 2) }
  const optimistic = { ...world, configuration: { canOptimisticallyMerge: true } }

  test('holds with optimistic merging and without', () => {
    expect(findingsOf(clearsWhatItContains, world)).toMatchObject({ checks: 2, violations: [] })
    expect(findingsOf(clearsWhatItContains, optimistic)).toMatchObject({
      checks: 3,
      violations: [],
    })
  })

  test('is violated when a successor clears a group without optimistic merging', () => {
    expect(findingsOf(clearsWhatItContains, world, decidingWith(true)).stories).toEqual([
      'Pull request 1 passed because of run 2, which does not clear its group.',
    ])
  })

  test('is violated when a successor does not clear a group with optimistic merging', () => {
    expect(findingsOf(clearsWhatItContains, optimistic, decidingWith(false)).stories).toEqual([
      'Run 2 passed and contains pull request 1, which is not cleared by it.',
    ])
  })
})
