import { describe, expect, test } from 'vitest'
import { engineWith, nothing } from './testing/defects.ts'
import { drive, type World } from './testing/drive.ts'
import { at, submit, update } from './testing/script.ts'
import { find, tampered, watched } from './testing/watched.ts'
import { wakeIsArmed } from './wake-is-armed.ts'

const asleep = engineWith({ armWake: nothing })

describe('wake-is-armed', () => {
  const filling: World = {
    configuration: { batch: true, batchingMinSize: 3 },
    script: submit(0, 1),
  }
  const hanging: World = {
    configuration: { testingTimeoutMinutes: 30 },
    oddRuns: { 1: 'hangs' },
    script: submit(0, 1),
  }
  const lost: World = { oddRuns: { 1: 'errored' }, script: submit(0, 1) }
  const lostInBisection: World = {
    configuration: { batch: true, batchingMinSize: 2, bisectionConcurrency: 1 },
    facts: { breaks: [2] },
    oddRuns: { 2: 'errored' },
    script: submit(0, 1, 2),
  }

  test.each([
    ['a batch fills', filling],
    ['a run hangs', hanging],
    ['a run is lost', lost],
    ['a run of a bisection is lost', lostInBisection],
    ['the queue is PAUSED', { ...lost, script: [...lost.script, update(5, { state: 'PAUSED' })] }],
  ])('holds when %s', (_case, world) => {
    const { checks, violations } = find(wakeIsArmed, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test.each([
    ['the wait for a full batch', filling, 'At minute 5 the wait for a full batch ends'],
    ['a timeout', hanging, 'At minute 30 run 1 times out'],
    ['a retry', lost, 'At minute 11 a run that was lost is to be made again'],
    [
      'a retry in a bisection',
      lostInBisection,
      'At minute 21 run 2, which was lost, is to be made again',
    ],
  ])('is violated when nothing wakes the queue for %s', (_case, world, due) => {
    const stories = find(wakeIsArmed, world, asleep).stories.join('\n')
    expect(stories).toContain(`${due}, and at minute `)
    expect(stories).toContain('the queue rests with no wake-up until then.')
  })

  test('is violated when the wake-up comes too late', () => {
    const late = tampered(drive(filling), (event) => [
      event.type === 'wakeScheduled' ? { ...event, wakeAt: event.wakeAt + 1 } : event,
    ])
    expect(watched([wakeIsArmed], filling, late).stories.length).toBeGreaterThan(0)
  })

  test('is violated when what was due is not acted upon', () => {
    const patient = engineWith({ expireRuns: nothing, armWake: nothing })
    const woken = { ...hanging, script: [...submit(0, 1), at(31, { type: 'wake' })] }
    expect(find(wakeIsArmed, woken, patient).stories).toContain(
      'At minute 31 nothing had come of it that at minute 30 run 1 times out.',
    )
  })
})
