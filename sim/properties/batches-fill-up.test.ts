import { describe, expect, test } from 'vitest'
import { rules, type Event, type QueueView } from '../../engine/index.ts'
import { batchesFillUp } from './batches-fill-up.ts'
import { alteringEvents, engineWithRules, withMisreadQueue } from './testing/defects.ts'
import { inLanes } from './testing/in-lanes.ts'
import { at, submit, submitAs, update } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'

const withWait = (batchingMaxWaitTimeMinutes: number) =>
  engineWithRules({
    formGroup: withMisreadQueue(
      rules.formGroup,
      ({ configuration }: QueueView): Partial<QueueView> => ({
        configuration: { ...configuration, batchingMaxWaitTimeMinutes },
      }),
    ),
  })

describe('batches-fill-up', () => {
  const configuration = { batch: true, batchingMinSize: 3, concurrency: 1 }
  const world = { configuration, script: submit(0, 1, 2) }

  // E-31
  test('holds for a batch that is full, and for one that has waited', () => {
    const script = [...submit(0, 1, 2, 3), ...submit(1, 4)]
    expect(findingsOf(batchesFillUp, { ...world, script })).toMatchObject({
      checks: 2,
      violations: [],
    })
  })

  test('is violated when a batch does not wait', () => {
    expect(findingsOf(batchesFillUp, world, withWait(0)).stories).toEqual([
      'At minute 0 group 1 started with pull request 1 of 3, although it could fill up until minute 5.',
    ])
  })

  test('is violated when a batch waits for half of the time', () => {
    const script = [...world.script, at(2.5, { type: 'wake' } as const)]
    expect(findingsOf(batchesFillUp, { ...world, script }, withWait(2.5)).stories).toEqual([
      'At minute 2.5 group 1 started with only pull requests 1 and 2 of 3, although it could fill up until minute 5.',
    ])
  })

  // E-31
  test('counts the wait from PENDING, not from the submission', () => {
    const script = [
      update(0, { state: 'PAUSED' }),
      ...submit(0, 1, 2),
      update(4, { state: 'RUNNING' }),
      at(5, { type: 'wake' } as const),
    ]
    expect(findingsOf(batchesFillUp, { ...world, script })).toMatchObject({
      checks: 1,
      violations: [],
    })
    expect(findingsOf(batchesFillUp, { ...world, script }, withWait(1)).stories).toEqual([
      'At minute 5 group 1 started with only pull requests 1 and 2 of 3, although it could fill up until minute 9.',
    ])
  })

  const oneFewer = (event: Event): readonly Event[] => [
    event.type === 'groupPlaced' ? { ...event, members: event.members.slice(0, 2) } : event,
  ]
  const tooSmall = engineWithRules({ formGroup: alteringEvents(rules.formGroup, oneFewer) })

  test('is violated when a batch leaves out one that could join', () => {
    expect(
      findingsOf(batchesFillUp, { ...world, script: submit(0, 1, 2, 3) }, tooSmall).stories[0],
    ).toBe(
      'At minute 0 group 1 started with only pull requests 1 and 2 without 3, which could have joined.',
    )
  })

  // E-97
  test('is violated when a batch leaves out one of its lane, but not for one of another lane', () => {
    const lanes = inLanes(submit(0, 1, 2, 3), {
      configuration: { ...configuration, batchingMinSize: 2 },
    })
    expect(findingsOf(batchesFillUp, lanes).violations).toEqual([])
    const alone = (event: Event): readonly Event[] => [
      event.type === 'groupPlaced' ? { ...event, members: event.members.slice(0, 1) } : event,
    ]
    const wrong = engineWithRules({ formGroup: alteringEvents(rules.formGroup, alone) })
    expect(findingsOf(batchesFillUp, lanes, wrong).stories[0]).toBe(
      'At minute 0 group 1 started with pull request 1 without 3, which could have joined.',
    )
  })

  // E-183
  test('holds when one that shares a target cannot join, because another one is skipped', () => {
    const lanes = inLanes(submit(0, 1, 2, 5), { configuration })
    const { checks, violations } = findingsOf(batchesFillUp, lanes)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  // E-32, E-186
  test('holds for a pull request that is tested alone', () => {
    const script = [submitAs(0, 1, { noBatch: true }), submitAs(0, 2, { priority: 0 })]
    expect(findingsOf(batchesFillUp, { ...world, script }).violations).toEqual([])
  })
})
