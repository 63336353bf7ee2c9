import { describe, expect, test } from 'vitest'
import { rules, type Event, type TestRun } from '../../engine/index.ts'
import { projectedBase } from './projected-base.ts'
import { bending, engineWith } from './testing/defects.ts'
import { submit } from './testing/script.ts'
import { find } from './testing/watched.ts'

const withRun =
  (change: (run: TestRun) => Partial<TestRun>) =>
  (event: Event): Event[] =>
    event.type === 'testRunStarted'
      ? [{ ...event, run: { ...event.run, ...change(event.run) } }]
      : [event]

describe('projected-base', () => {
  const world = { script: submit(0, 1, 2, 3), runMinutes: [10, 12, 14] }
  const bisecting = {
    configuration: { batch: true, batchingMinSize: 3, bisectionConcurrency: 1 },
    facts: { breaks: [3] },
    script: submit(0, 1, 2, 3),
  }

  test('holds in the line and in a bisection', () => {
    expect(find(projectedBase, world)).toMatchObject({ checks: 3, violations: [] })
    expect(find(projectedBase, bisecting).violations).toEqual([])
  })

  test('is violated by a run that leaves a predecessor out', () => {
    const bend = withRun(({ base }) => ({ base: base.slice(1) }))
    const wrong = engineWith({ startWaiting: bending(rules.startWaiting, bend) })
    expect(find(projectedBase, world, wrong).stories).toEqual([
      'Run 2 tests 2 on none at tip 0, where the projected state is 1 on tip 0.',
      'Run 3 tests 3 on 2 at tip 0, where the projected state is 1 and 2 on tip 0.',
    ])
  })

  test('is violated by a run on a tip that is not there', () => {
    const bend = withRun(({ tip }) => ({ tip: tip + 1 }))
    const wrong = engineWith({ startWaiting: bending(rules.startWaiting, bend) })
    expect(find(projectedBase, world, wrong).stories).toHaveLength(3)
  })

  test('is violated by a bisection run that is not on what is proven', () => {
    const bend = withRun(() => ({ base: [] }))
    const wrong = engineWith({ startBisectionRuns: bending(rules.startBisectionRuns, bend) })
    // The code host takes its time, so that what is proven is not on the branch yet.
    const slow = { ...bisecting, mergeMinutes: 30 }
    expect(find(projectedBase, slow).violations).toEqual([])
    expect(find(projectedBase, slow, wrong).stories[0]).toBe(
      'Run 3 tests 2 on none at tip 0, where the projected state is 1 on tip 0.',
    )
  })
})
