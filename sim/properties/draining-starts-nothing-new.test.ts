import { describe, expect, test } from 'vitest'
import { rules, type Event, type Rule } from '../../engine/index.ts'
import { drainingStartsNothingNew } from './draining-starts-nothing-new.ts'
import { engineWith, mistaking } from './testing/defects.ts'
import { drive } from './testing/drive.ts'
import { submit, update } from './testing/script.ts'
import { find, tampered, watched } from './testing/watched.ts'

const asRunning = (rule: Rule): Rule => mistaking(rule, () => ({ state: 'RUNNING' }))

describe('draining-starts-nothing-new', () => {
  const world = {
    configuration: { concurrency: 1 },
    script: [...submit(0, 1, 2), update(5, { state: 'DRAINING' }), ...submit(6, 3)],
  }

  test('holds when what was in the line goes on, and nobody else comes in', () => {
    const { checks, violations } = find(drainingStartsNothingNew, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test('holds when modes are switched once the line is empty', () => {
    const script = [...submit(0, 1), update(5, { mode: 'parallel' }), ...submit(6, 2)]
    expect(find(drainingStartsNothingNew, { script }).violations).toEqual([])
  })

  test('is violated when somebody new starts', () => {
    const late = { ...world, script: [...world.script, update(60, {})] }
    const wrong = engineWith({ formGroup: asRunning(rules.formGroup) })
    expect(find(drainingStartsNothingNew, late, wrong).stories[0]).toBe(
      'At minute 10 the queue was DRAINING, and pull request 2 came into the line (formed).',
    )
  })

  test('is violated when somebody is let in', () => {
    const asReady = (event: Event): Event[] => [
      event.type === 'pullRequestSubmitted' ? { ...event, state: 'PENDING' } : event,
    ]
    const { stories } = watched([drainingStartsNothingNew], world, tampered(drive(world), asReady))
    expect(stories[0]).toBe('At minute 6 the queue was DRAINING, and pull request 3 was let in.')
  })

  test('is violated when modes are switched with work in the line', () => {
    const script = [...submit(0, 1), update(5, { mode: 'parallel' })]
    const wrong = engineWith({ switchMode: mistaking(rules.switchMode, () => ({ line: [] })) })
    expect(find(drainingStartsNothingNew, { script }, wrong).stories).toEqual([
      'At minute 5 the mode became parallel with work in the line.',
      'At minute 5 the queue left SWITCHING_MODES for RUNNING with work in the line.',
    ])
  })
})
