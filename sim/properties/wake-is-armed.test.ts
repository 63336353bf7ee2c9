import { describe, expect, test } from 'vitest'
import { engineWithRules, nothing } from './testing/defects.ts'
import { drive, type StreamSpec } from './testing/drive.ts'
import { at, submit, submitAs, update } from './testing/script.ts'
import { findingsOf, altered, checkProperties } from './testing/watched.ts'
import { wakeIsArmed } from './wake-is-armed.ts'

const asleep = engineWithRules({ armWake: nothing })

describe('wake-is-armed', () => {
  const filling: StreamSpec = {
    configuration: { batch: true, batchingMinSize: 3 },
    script: submit(0, 1),
  }
  const hanging: StreamSpec = {
    configuration: { testingTimeoutMinutes: 30 },
    faultyRuns: { 1: 'hangs' },
    script: submit(0, 1),
  }
  const lost: StreamSpec = { faultyRuns: { 1: 'errored' }, script: submit(0, 1) }
  const lostInBisection: StreamSpec = {
    configuration: { batch: true, batchingMinSize: 2, bisectionConcurrency: 1 },
    facts: { breaks: [2] },
    faultyRuns: { 2: 'errored' },
    script: submit(0, 1, 2),
  }

  const besideAlone: StreamSpec = {
    configuration: { batch: true, batchingMinSize: 3 },
    script: [
      submitAs(0, 1, { noBatch: true, priority: 200 }),
      submitAs(0, 2, { noBatch: true }),
      ...submit(2, 3),
      submitAs(2, 4, { noBatch: true }),
    ],
  }

  /** 1 has failed and waits for 2, which waits until the queue is RUNNING again. */
  const held: StreamSpec = {
    configuration: { concurrency: 2, pendingFailureDepth: 1, testingTimeoutMinutes: 30 },
    facts: { breaks: [1] },
    runMinutes: [20, 10],
    script: [
      ...submit(0, 1, 2),
      update(11, { state: 'PAUSED' }),
      at(12, { type: 'restartTests', number: 2 }),
      update(60, { state: 'RUNNING' }),
    ],
  }

  test.each([
    ['a batch fills', filling],
    ['a batch fills ahead of one that is tested alone', besideAlone],
    ['a run hangs', hanging],
    ['a run is lost', lost],
    ['a run of a bisection is lost', lostInBisection],
    ['a failure is held', held],
    ['the queue is PAUSED', { ...lost, script: [...lost.script, update(5, { state: 'PAUSED' })] }],
  ])('holds when %s', (_case, world) => {
    const { checks, violations } = findingsOf(wakeIsArmed, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test.each([
    ['the wait for a full batch', filling, 'At minute 5 the wait for a full batch ends'],
    [
      'the wait of a batch ahead of one that is tested alone',
      besideAlone,
      'At minute 7 the wait for a full batch ends',
    ],
    ['a timeout', hanging, 'At minute 30 run 1 times out'],
    ['a retry', lost, 'At minute 11 a lost run is to be repeated'],
    ['the end of a hold', held, 'At minute 40 the longest wait for successors ends'],
    [
      'a retry in a bisection',
      lostInBisection,
      'At minute 21 run 2, which was lost, is to be repeated',
    ],
  ])('is violated when no wake-up is scheduled for %s', (_case, world, due) => {
    const stories = findingsOf(wakeIsArmed, world, asleep).stories.join('\n')
    expect(stories).toContain(`${due}, but at minute `)
    expect(stories).toContain('the queue is at rest with no wake-up by then.')
  })

  test('is violated when the wake-up comes too late', () => {
    const late = altered(drive(filling), (event) => [
      event.type === 'wakeScheduled' ? { ...event, wakeAt: event.wakeAt + 1 } : event,
    ])
    expect(checkProperties([wakeIsArmed], filling, late).stories.length).toBeGreaterThan(0)
  })

  test('is violated when the engine does not act on a timeout', () => {
    const patient = engineWithRules({ expireRuns: nothing, armWake: nothing })
    const woken = { ...hanging, script: [...submit(0, 1), at(31, { type: 'wake' })] }
    expect(findingsOf(wakeIsArmed, woken, patient).stories).toContain(
      'At minute 31 nothing had been done, although at minute 30 run 1 times out.',
    )
  })
})
