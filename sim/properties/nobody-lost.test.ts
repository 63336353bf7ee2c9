import { describe, expect, test } from 'vitest'
import { engineParts, rules, type Event } from '../../engine/index.ts'
import { nobodyLost } from './nobody-lost.ts'
import { alteringEvents, engineWithRules } from '../run/altered-engines.ts'
import { drive } from './testing/drive.ts'
import { at, cancel, submit, submitAs, update } from './testing/script.ts'
import { findingsOf, altered, checkProperties } from './testing/watched.ts'

describe('nobody-lost', () => {
  const batch = {
    configuration: { concurrency: 2, batch: true, batchingMinSize: 3 },
    facts: { breaks: [3] },
    // 4 passes and merges during the bisection, so that the survivors must return to the line.
    script: [...submit(0, 1, 2, 3), submitAs(0, 4, { noBatch: true })],
  }

  // E-113
  test('holds through cancels, pushes, pauses, restarts and bisections', () => {
    const script = [
      ...batch.script,
      cancel(15, 1),
      at(16, { type: 'reportPush' }),
      at(17, { type: 'restartTests', number: 4 }),
      update(18, { state: 'PAUSED' }),
      ...submit(19, 5, 6),
    ]
    const { checks, violations } = findingsOf(nobodyLost, { ...batch, script })
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test('is violated when survivors do not return to the line', () => {
    const withoutSurvivors = (event: Event): Event[] =>
      event.type === 'groupPlaced' && event.cause === 'survivors' ? [] : [event]
    const wrong = engineWithRules({
      advanceBisection: alteringEvents(rules.advanceBisection, withoutSurvivors),
    })
    expect(findingsOf(nobodyLost, batch).violations).toEqual([])
    expect(findingsOf(nobodyLost, batch, wrong).stories).toContain(
      'After finishTestRun pull request 1 is PENDING and has no place.',
    )
  })

  test('is violated when a group leaves with a member in it', () => {
    const world = { script: submit(0, 1, 2) }
    const leaving = altered(drive(world), (event) =>
      event.type === 'groupPassed' ? [{ type: 'groupLeft', group: event.group }, event] : [event],
    )
    expect(checkProperties([nobodyLost], world, leaving).stories[0]).toBe(
      'Group 1 left the line with pull request 1 still in it.',
    )
  })

  // E-113
  test('is violated when a pull request is in two groups', () => {
    const world = { script: submit(0, 1, 2) }
    const twice = altered(drive(world), (event) =>
      event.type === 'groupPlaced' && event.group === 2
        ? [{ ...event, members: [1, ...event.members] }]
        : [event],
    )
    expect(checkProperties([nobodyLost], world, twice).stories[0]).toBe(
      'Pull request 1 entered group 2 while it was in another one.',
    )
  })

  test('is violated when the line differs from the events', () => {
    const wrong = engineWithRules(
      {},
      {
        evolve(queue, event) {
          engineParts.evolve(queue, event)
          if (event.type === 'groupPlaced') queue.line.sort((a, b) => b - a)
        },
      },
    )
    expect(findingsOf(nobodyLost, { script: submit(0, 1, 2) }, wrong).stories[0]).toBe(
      'By the events the line has groups 1 and 2, but the queue shows 2 and 1.',
    )
  })

  test('is violated when the state of a member does not fit its position', () => {
    const world = { script: submit(0, 1, 2) }
    const unsaid = altered(drive(world), (event) => (event.type === 'groupPassed' ? [] : [event]))
    const merging = { ...world, mergeMinutes: 5 }
    expect(findingsOf(nobodyLost, merging).violations).toEqual([])
    const reported = altered(drive(merging), (event) =>
      event.type === 'groupPassed' ? [] : [event],
    )
    expect(checkProperties([nobodyLost], merging, reported).stories[0]).toBe(
      'After finishTestRun pull request 1 is TESTS_PASSED in a group that is testing.',
    )
    expect(checkProperties([nobodyLost], world, unsaid).checks).toBeGreaterThan(0)
  })
})
