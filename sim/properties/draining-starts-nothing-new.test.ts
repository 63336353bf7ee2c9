import { describe, expect, test } from 'vitest'
import { rules, type Event, type Rule } from '../../engine/index.ts'
import { drainingStartsNothingNew } from './draining-starts-nothing-new.ts'
import { engineWithRules, withMisreadQueue } from './testing/defects.ts'
import { drive } from './testing/drive.ts'
import { submit, update } from './testing/script.ts'
import { findingsOf, altered, checkProperties } from './testing/watched.ts'

const asRunning = (rule: Rule): Rule => withMisreadQueue(rule, () => ({ state: 'RUNNING' }))

describe('draining-starts-nothing-new', () => {
  const world = {
    configuration: { concurrency: 1 },
    script: [...submit(0, 1, 2), update(5, { state: 'DRAINING' }), ...submit(6, 3)],
  }

  test('holds when groups in the line continue and no pull request enters', () => {
    const { checks, violations } = findingsOf(drainingStartsNothingNew, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test('holds when the mode changes after the line is empty', () => {
    const script = [...submit(0, 1), update(5, { mode: 'parallel' }), ...submit(6, 2)]
    expect(findingsOf(drainingStartsNothingNew, { script }).violations).toEqual([])
  })

  test('is violated when a new pull request starts', () => {
    const late = { ...world, script: [...world.script, update(60, {})] }
    const wrong = engineWithRules({ formGroup: asRunning(rules.formGroup) })
    expect(findingsOf(drainingStartsNothingNew, late, wrong).stories[0]).toBe(
      'At minute 10 the queue was DRAINING, and pull request 2 entered the line (formed).',
    )
  })

  test('is violated when a submitted pull request becomes PENDING', () => {
    const asReady = (event: Event): Event[] => [
      event.type === 'pullRequestSubmitted' ? { ...event, state: 'PENDING' } : event,
    ]
    const { stories } = checkProperties(
      [drainingStartsNothingNew],
      world,
      altered(drive(world), asReady),
    )
    expect(stories[0]).toBe('At minute 6 the queue was DRAINING, and pull request 3 was let in.')
  })

  test('is violated when the mode changes with work in the line', () => {
    const script = [...submit(0, 1), update(5, { mode: 'parallel' })]
    const wrong = engineWithRules({
      switchMode: withMisreadQueue(rules.switchMode, () => ({ line: [] })),
    })
    expect(findingsOf(drainingStartsNothingNew, { script }, wrong).stories).toEqual([
      'At minute 5 the mode became parallel with work in the line.',
      'At minute 5 the queue left SWITCHING_MODES for RUNNING with work in the line.',
    ])
  })
})
