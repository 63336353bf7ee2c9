import { describe, expect, test } from 'vitest'
import { parts, rules, type Event } from '../../engine/index.ts'
import { nobodyLost } from './nobody-lost.ts'
import { bending, engineWith } from './testing/defects.ts'
import { drive } from './testing/drive.ts'
import { at, cancel, submit, submitAs, update } from './testing/script.ts'
import { find, tampered, watched } from './testing/watched.ts'

describe('nobody-lost', () => {
  const batch = {
    configuration: { concurrency: 2, batch: true, batchingMinSize: 3 },
    facts: { breaks: [3] },
    // 4 passes meanwhile and stands on the branch, so that survivors have to come back.
    script: [...submit(0, 1, 2, 3), submitAs(0, 4, { noBatch: true })],
  }

  test('holds through cancels, pushes, pauses, restarts and bisections', () => {
    const script = [
      ...batch.script,
      cancel(15, 1),
      at(16, { type: 'reportPush' }),
      at(17, { type: 'restartTests', number: 4 }),
      update(18, { state: 'PAUSED' }),
      ...submit(19, 5, 6),
    ]
    const { checks, violations } = find(nobodyLost, { ...batch, script })
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test('is violated when survivors do not come back', () => {
    const withoutSurvivors = (event: Event): Event[] =>
      event.type === 'groupPlaced' && event.cause === 'survivors' ? [] : [event]
    const wrong = engineWith({
      advanceBisection: bending(rules.advanceBisection, withoutSurvivors),
    })
    expect(find(nobodyLost, batch).violations).toEqual([])
    expect(find(nobodyLost, batch, wrong).stories).toContain(
      'After finishTestRun pull request 1 is PENDING and has no place.',
    )
  })

  test('is violated when a group leaves with somebody in it', () => {
    const world = { script: submit(0, 1, 2) }
    const leaving = tampered(drive(world), (event) =>
      event.type === 'groupPassed' ? [{ type: 'groupLeft', group: event.group }, event] : [event],
    )
    expect(watched([nobodyLost], world, leaving).stories[0]).toBe(
      'Group 1 left the line with pull request 1 still in it.',
    )
  })

  test('is violated when somebody is put into two groups', () => {
    const world = { script: submit(0, 1, 2) }
    const twice = tampered(drive(world), (event) =>
      event.type === 'groupPlaced' && event.group === 2
        ? [{ ...event, members: [1, ...event.members] }]
        : [event],
    )
    expect(watched([nobodyLost], world, twice).stories[0]).toBe(
      'Pull request 1 came into group 2 while in another.',
    )
  })

  test('is violated when the line is not what the events have made it', () => {
    const wrong = engineWith(
      {},
      {
        evolve(queue, event) {
          parts.evolve(queue, event)
          if (event.type === 'groupPlaced') queue.line.sort((a, b) => b - a)
        },
      },
    )
    expect(find(nobodyLost, { script: submit(0, 1, 2) }, wrong).stories[0]).toBe(
      'The line is made of groups 1 and 2 by the events, and the queue shows 2 and 1.',
    )
  })

  test('is violated when a member is in a state that its place does not have', () => {
    const world = { script: submit(0, 1, 2) }
    const unsaid = tampered(drive(world), (event) => (event.type === 'groupPassed' ? [] : [event]))
    const merging = { ...world, mergeMinutes: 5 }
    expect(find(nobodyLost, merging).violations).toEqual([])
    const told = tampered(drive(merging), (event) => (event.type === 'groupPassed' ? [] : [event]))
    expect(watched([nobodyLost], merging, told).stories[0]).toBe(
      'After finishTestRun pull request 1 is TESTS_PASSED in a group that is testing.',
    )
    expect(watched([nobodyLost], world, unsaid).checks).toBeGreaterThan(0)
  })
})
