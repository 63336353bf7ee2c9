import { describe, expect, test } from 'vitest'
import { rules, type Event } from '../../engine/index.ts'
import { startsInOrder } from './starts-in-order.ts'
import { alteringEvents, engineWithRules, nothing } from './testing/defects.ts'
import { at, cancel, conflict, submit, submitAs } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'
import { formOfTheLast } from './testing/wrong-rules.ts'

const atPlace =
  (index: number) =>
  (event: Event): Event[] => [event.type === 'groupPlaced' ? { ...event, index } : event]

describe('starts-in-order', () => {
  const configuration = { concurrency: 2 }
  const world = { configuration, script: submit(0, 1, 2, 3, 4) }

  test('holds for priorities, batches, urgent pull requests and survivors', () => {
    const mixed = {
      configuration: { ...configuration, batch: true, batchingMinSize: 3 },
      facts: { breaks: [2] },
      script: [
        ...submit(0, 1, 2, 3),
        submitAs(1, 4, { priority: 200 }),
        submitAs(2, 5, { priority: 10 }),
        submitAs(3, 6, { priority: 0 }),
        submitAs(3, 7, { priority: 0 }),
        ...submit(4, 8, 9),
      ],
    }
    const { checks, violations } = findingsOf(startsInOrder, mixed)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(8)
  })

  test('is violated when a pull request is skipped', () => {
    const wrong = engineWithRules({ formGroup: formOfTheLast })
    expect(findingsOf(startsInOrder, world, wrong).stories).toEqual([
      'Group 3 of pull request 4 entered the line (formed) but next in order were 3.',
    ])
  })

  test('is violated when a new group enters ahead of the line', () => {
    const wrong = engineWithRules({ formGroup: alteringEvents(rules.formGroup, atPlace(0)) })
    expect(findingsOf(startsInOrder, world, wrong).stories[0]).toBe(
      'Group 2 of pull request 2 entered the line (formed) at place 0, but 1 is the end of the line.',
    )
  })

  test('is violated when an urgent group enters ahead of an earlier urgent group', () => {
    const script = [
      ...submit(0, 1),
      submitAs(1, 2, { priority: 0 }),
      submitAs(2, 3, { priority: 0 }),
    ]
    const wrong = engineWithRules({
      interruptForUrgent: alteringEvents(rules.interruptForUrgent, atPlace(0)),
    })
    expect(findingsOf(startsInOrder, { configuration, script }).violations).toEqual([])
    expect(findingsOf(startsInOrder, { configuration, script }, wrong).stories).toEqual([
      'Group 3 of pull request 3 entered the line (urgent) at place 0, but 1 is the head of the line.',
    ])
  })

  // E-26
  test('is violated when a new group starts before a restarted group', () => {
    const script = [...submit(0, 1, 2), ...submit(1, 3), cancel(2, 1)]
    const wrong = engineWithRules({ startWaiting: nothing, formGroup: rules.formGroup })
    const { stories } = findingsOf(startsInOrder, { configuration, script }, wrong)
    expect(stories[0]).toMatch(/ \(formed\) while the restarted pull request 1 waited for a run\.$/)
  })

  // E-69
  test('is violated when a member that leaves a batch overtakes one that left it before', () => {
    const split = {
      configuration: { concurrency: 1, batch: true, batchingMinSize: 3 },
      script: [conflict(0, 2, 1, 3), conflict(0, 3, 1), ...submit(0, 1, 2, 3)],
    }
    const wrong = engineWithRules({
      startWaiting: alteringEvents(rules.startWaiting, (event) => [
        event.type === 'groupSplit' ? { ...event, index: 1 } : event,
      ]),
    })
    expect(findingsOf(startsInOrder, split).violations).toEqual([])
    expect(findingsOf(startsInOrder, split, wrong).stories).toEqual([
      'Pull request 3 left group 1 for place 1 of the line, but in order the place is 2.',
    ])
  })

  test('is violated by a direct merge although groups that share a target are ahead', () => {
    const green = at(1, { type: 'reportPullRequest', number: 2, greenOnTip: true })
    const direct = {
      configuration: { ...configuration, directMergeMode: 'always' as const },
      script: [...submit(0, 1), green, ...submit(2, 2)],
    }
    const asDirect = (event: Event): Event[] =>
      event.type === 'groupPlaced' && event.members.includes(2)
        ? [{ ...event, cause: 'direct merge' }]
        : [event]
    const wrong = engineWithRules({
      formGroup: alteringEvents(rules.formGroup, asDirect),
      merge: nothing,
    })
    expect(findingsOf(startsInOrder, direct).violations).toEqual([])
    expect(findingsOf(startsInOrder, direct, wrong).stories).toEqual([
      'Group 2 of pull request 2 entered the line (direct merge) although others that share a target are ahead.',
    ])
  })
})
