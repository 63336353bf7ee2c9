import { describe, expect, test } from 'vitest'
import { rules, type QueueView } from '../../engine/index.ts'
import { slotsRespected } from './slots-respected.ts'
import { engineWithRules, withMisreadQueue } from './testing/defects.ts'
import { submit, update } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'

const oneSlotMore = ({ configuration }: QueueView): Partial<QueueView> => ({
  configuration: { ...configuration, concurrency: configuration.concurrency + 1 },
})

describe('slots-respected', () => {
  const world = { configuration: { concurrency: 2 }, script: submit(0, 1, 2, 3) }

  test('holds while the number of runs is at the limit', () => {
    const { checks, violations } = findingsOf(slotsRespected, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test('holds when the limit falls below the number of runs in progress', () => {
    const script = [...world.script, update(1, { concurrency: 1 })]
    expect(findingsOf(slotsRespected, { ...world, script }).violations).toEqual([])
  })

  // E-24
  test('is violated when one main run too many starts', () => {
    const wrong = engineWithRules({
      formGroup: withMisreadQueue(rules.formGroup, oneSlotMore),
      startWaiting: withMisreadQueue(rules.startWaiting, oneSlotMore),
    })
    expect(findingsOf(slotsRespected, world, wrong).stories).toEqual([
      'Run 3 started at minute 0 as main run number 3 under way, but the limit is 2.',
    ])
  })

  // E-71
  test('is violated when one bisection run too many starts', () => {
    const wrong = engineWithRules({
      startBisectionRuns: withMisreadQueue(rules.startBisectionRuns, oneSlotMore),
    })
    const batch = { batch: true, batchingMinSize: 4, concurrency: 1 }
    const failing = { configuration: batch, facts: { breaks: [4] }, script: submit(0, 1, 2, 3, 4) }
    expect(findingsOf(slotsRespected, failing).violations).toEqual([])
    expect(findingsOf(slotsRespected, failing, wrong).stories[0]).toBe(
      'Run 3 started at minute 10 as bisection run number 2 under way, but the limit is 1.',
    )
  })
})
