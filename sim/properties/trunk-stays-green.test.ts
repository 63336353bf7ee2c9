import { describe, expect, test } from 'vitest'
import { parts, type QueueView } from '../../engine/index.ts'
import { engineWith, mistaken } from './testing/defects.ts'
import { cancel, submit, update } from './testing/script.ts'
import { find } from './testing/watched.ts'
import { cancelWithoutRestarts } from './testing/wrong-decisions.ts'
import { trunkStaysGreen } from './trunk-stays-green.ts'

const optimistic = ({ configuration }: QueueView): Partial<QueueView> => ({
  configuration: { ...configuration, canOptimisticallyMerge: true },
})

describe('trunk-stays-green', () => {
  // 2 mends what 1 breaks: alone, 1 must never be merged.
  const facts = { breaks: [1], fixes: [[2, 1]] } as const
  const world = { configuration: { concurrency: 2 }, facts, script: submit(0, 1, 2) }

  test('holds when every state was tested before it was merged', () => {
    const { checks, violations } = find(trunkStaysGreen, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test('takes a run that contains the state where merging is optimistic', () => {
    const configuration = { concurrency: 2, canOptimisticallyMerge: true, pendingFailureDepth: 1 }
    const { checks, violations } = find(trunkStaysGreen, { ...world, configuration })
    expect(violations).toEqual([])
    expect(checks).toBe(2 + 1)
  })

  test('is violated when a successor clears its predecessor and merging is not optimistic', () => {
    const wrong = engineWith(
      {},
      {
        decide: (step, command) =>
          parts.decide({ ...step, queue: mistaken(step.queue, optimistic) }, command),
      },
    )
    // The successor is through first.
    const hasty = { ...world, runMinutes: [5, 10] }
    expect(find(trunkStaysGreen, hasty, wrong).stories).toEqual([
      'With pull request 1 merged on the word of run 2, the branch holds what that run has not tested.',
      'With pull request 1 merged on the word of run 2, the branch is broken: its tests would fail.',
    ])
  })

  test('is violated when a predecessor is cancelled and nobody restarts', () => {
    const script = [...submit(0, 1, 2), cancel(1, 1)]
    const wrong = engineWith({}, { decide: cancelWithoutRestarts })
    expect(find(trunkStaysGreen, { ...world, script }).violations).toEqual([])
    expect(find(trunkStaysGreen, { ...world, script }, wrong).stories).toEqual([
      'With pull request 2 merged on the word of run 2, the branch holds what that run has not tested.',
    ])
  })

  test('excepts a batch of which the code host refused one, until it is tested again', () => {
    const refused = {
      configuration: { batch: true, batchingMinSize: 3 },
      mergeMinutes: 1,
      refuses: [2],
      script: [...submit(0, 1, 2, 3), update(0, { concurrency: 1 })],
    }
    const { checks, violations } = find(trunkStaysGreen, refused)
    expect(violations).toEqual([])
    // Of the three only 3 is looked at, which was tested anew without 2.
    expect(checks).toBe(2)
  })
})
