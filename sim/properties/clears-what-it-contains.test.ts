import { describe, expect, test } from 'vitest'
import { parts, type QueueView } from '../../engine/index.ts'
import { clearsWhatItContains } from './clears-what-it-contains.ts'
import { engineWith, mistaken } from './testing/defects.ts'
import { submit } from './testing/script.ts'
import { find } from './testing/watched.ts'

const decidingWith = (canOptimisticallyMerge: boolean) =>
  engineWith(
    {},
    {
      decide: (step, command) => {
        const mistake = ({ configuration }: QueueView): Partial<QueueView> => ({
          configuration: { ...configuration, canOptimisticallyMerge },
        })
        return parts.decide({ ...step, queue: mistaken(step.queue, mistake) }, command)
      },
    },
  )

describe('clears-what-it-contains', () => {
  // The second is through before the first.
  const world = { runMinutes: [5, 10], script: submit(0, 1, 2) }
  const optimistic = { ...world, configuration: { canOptimisticallyMerge: true } }

  test('holds with optimistic merging and without', () => {
    expect(find(clearsWhatItContains, world)).toMatchObject({ checks: 2, violations: [] })
    expect(find(clearsWhatItContains, optimistic)).toMatchObject({ checks: 3, violations: [] })
  })

  test('is violated when a successor clears, and merging is not optimistic', () => {
    expect(find(clearsWhatItContains, world, decidingWith(true)).stories).toEqual([
      'Pull request 1 passed on the word of run 2, which is not theirs to pass on.',
    ])
  })

  test('is violated when a successor does not clear, and merging is optimistic', () => {
    expect(find(clearsWhatItContains, optimistic, decidingWith(false)).stories).toEqual([
      'Run 2 passed and contains pull request 1, which is not cleared by it.',
    ])
  })
})
