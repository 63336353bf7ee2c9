import { describe, expect, test } from 'vitest'
import { rules, type QueueView } from '../../engine/index.ts'
import { slotsRespected } from './slots-respected.ts'
import { engineWith, mistaking } from './testing/defects.ts'
import { submit, update } from './testing/script.ts'
import { find } from './testing/watched.ts'

const oneSlotMore = ({ configuration }: QueueView): Partial<QueueView> => ({
  configuration: { ...configuration, concurrency: configuration.concurrency + 1 },
})

describe('slots-respected', () => {
  const world = { configuration: { concurrency: 2 }, script: submit(0, 1, 2, 3) }

  test('holds while as many run as may', () => {
    const { checks, violations } = find(slotsRespected, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test('lets what runs go on when the limit falls below it', () => {
    const script = [...world.script, update(1, { concurrency: 1 })]
    expect(find(slotsRespected, { ...world, script }).violations).toEqual([])
  })

  test('is violated by a main run too many', () => {
    const wrong = engineWith({
      formGroup: mistaking(rules.formGroup, oneSlotMore),
      startWaiting: mistaking(rules.startWaiting, oneSlotMore),
    })
    expect(find(slotsRespected, world, wrong).stories).toEqual([
      'Run 3 started at minute 0 as main run number 3 under way, where 2 may be.',
    ])
  })

  test('is violated by a bisection run too many', () => {
    const wrong = engineWith({
      startBisectionRuns: mistaking(rules.startBisectionRuns, oneSlotMore),
    })
    const batch = { batch: true, batchingMinSize: 4, concurrency: 1 }
    const failing = { configuration: batch, facts: { breaks: [4] }, script: submit(0, 1, 2, 3, 4) }
    expect(find(slotsRespected, failing).violations).toEqual([])
    expect(find(slotsRespected, failing, wrong).stories[0]).toBe(
      'Run 3 started at minute 10 as bisection run number 2 under way, where 1 may be.',
    )
  })
})
