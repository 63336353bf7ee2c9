import { describe, expect, test } from 'vitest'
import { rules, type Event, type TestRun } from '../../engine/index.ts'
import { projectedBase } from './projected-base.ts'
import { alteringEvents, engineWithRules } from './testing/defects.ts'
import { at, cancel, submit, submitAs } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'

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
    expect(findingsOf(projectedBase, world)).toMatchObject({ checks: 3, violations: [] })
    expect(findingsOf(projectedBase, bisecting).violations).toEqual([])
  })

  // E-143
  test('holds when a pull request has left its batch for which other targets were uploaded', () => {
    const targets = (number: number, minute: number, ...names: string[]) =>
      at(minute, { type: 'setImpactedTargets', number, targets: names })
    const left = {
      configuration: { mode: 'parallel', batch: true, batchingMinSize: 2 },
      script: [
        ...[targets(1, 0, 'a'), targets(2, 0, 'a'), targets(3, 0, 'b')],
        ...submit(0, 1, 2),
        targets(1, 1, 'b'),
        cancel(2, 1),
        submitAs(3, 3, { noBatch: true }),
      ],
    } as const
    expect(findingsOf(projectedBase, left)).toMatchObject({ checks: 3, violations: [] })
  })

  test('is violated when a run does not include a predecessor', () => {
    const alter = withRun(({ base }) => ({ base: base.slice(1) }))
    const wrong = engineWithRules({ startWaiting: alteringEvents(rules.startWaiting, alter) })
    expect(findingsOf(projectedBase, world, wrong).stories).toEqual([
      'Run 2 tests 2 on none at tip 0, but the projected state is 1 on tip 0.',
      'Run 3 tests 3 on 2 at tip 0, but the projected state is 1 and 2 on tip 0.',
    ])
  })

  test('is violated when a run is on a tip that is not current', () => {
    const alter = withRun(({ tip }) => ({ tip: tip + 1 }))
    const wrong = engineWithRules({ startWaiting: alteringEvents(rules.startWaiting, alter) })
    expect(findingsOf(projectedBase, world, wrong).stories).toHaveLength(3)
  })

  test('is violated when a bisection run does not include the proven members', () => {
    const alter = withRun(() => ({ base: [] }))
    const wrong = engineWithRules({
      startBisectionRuns: alteringEvents(rules.startBisectionRuns, alter),
    })
    // The code host answers late, so that the proven members are not on the branch yet.
    const slow = { ...bisecting, mergeMinutes: 30 }
    expect(findingsOf(projectedBase, slow).violations).toEqual([])
    expect(findingsOf(projectedBase, slow, wrong).stories[0]).toBe(
      'Run 3 tests 2 on none at tip 0, but the projected state is 1 on tip 0.',
    )
  })
})
