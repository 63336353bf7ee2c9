import { describe, expect, test } from 'vitest'
import { rules, type Event, type QueueView } from '../../engine/index.ts'
import { batchesWellFormed } from './batches-well-formed.ts'
import { alteringEvents, engineWithRules, withMisreadQueue } from './testing/defects.ts'
import { drive, type DrivenRun } from './testing/drive.ts'
import { submit, submitAs } from './testing/script.ts'
import { findingsOf, altered, handWritten, checkProperties } from './testing/watched.ts'

const oneMore = ({ configuration }: QueueView): Partial<QueueView> => ({
  configuration: { ...configuration, batchingMinSize: configuration.batchingMinSize + 1 },
})

describe('batches-well-formed', () => {
  const configuration = { batch: true, batchingMinSize: 2, concurrency: 1 }
  const world = { configuration, script: submit(0, 1, 2, 3) }

  // E-115
  test('holds for batches and for pull requests that are tested alone', () => {
    const script = [
      ...world.script,
      submitAs(1, 4, { noBatch: true }),
      submitAs(1, 5, { priority: 0 }),
    ]
    const { checks, violations } = findingsOf(batchesWellFormed, { ...world, script })
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(4)
  })

  // E-115
  test('is violated when a batch is too large', () => {
    const wrong = engineWithRules({ formGroup: withMisreadQueue(rules.formGroup, oneMore) })
    expect(findingsOf(batchesWellFormed, world, wrong).stories).toEqual([
      'Group 1 was formed of pull requests 1, 2 and 3, but at most 2 may be tested together.',
    ])
  })

  // E-31
  test('is violated when a batch starts although it is not full and nobody has waited', () => {
    const oneLess = ({ configuration: now }: QueueView): Partial<QueueView> => ({
      configuration: { ...now, batchingMinSize: now.batchingMinSize - 1 },
    })
    const wrong = engineWithRules({ formGroup: withMisreadQueue(rules.formGroup, oneLess) })
    expect(findingsOf(batchesWellFormed, world, wrong).stories[0]).toBe(
      'A group of pull request 1 started at minute 0, although none of them had waited long enough.',
    )
  })

  // E-31, E-186
  test('is violated when a batch starts without one that could join', () => {
    const three = { ...world, configuration: { ...configuration, batchingMinSize: 3 } }
    const wrong = engineWithRules({
      formGroup: alteringEvents(rules.formGroup, (event) => [
        event.type === 'groupPlaced' ? { ...event, members: event.members.slice(0, 2) } : event,
      ]),
    })
    expect(findingsOf(batchesWellFormed, three, wrong).stories[0]).toBe(
      'A group of pull requests 1 and 2 started at minute 0, without 3, which could join.',
    )
  })

  test('is violated when a noBatch pull request is in a batch', () => {
    const asAlone = (event: Event): Event[] => [
      event.type === 'pullRequestSubmitted' && event.number === 1
        ? { ...event, noBatch: true }
        : event,
    ]
    const asTold = altered(drive(world), asAlone)
    expect(checkProperties([batchesWellFormed], world, asTold).stories).toEqual([
      'Run 1 tests pull requests 1 and 2 together, although 1 must be tested alone.',
    ])
  })

  test('is violated when an urgent pull request is in a batch', () => {
    const asUrgent = (event: Event): Event[] => [
      event.type === 'pullRequestSubmitted' && event.number === 2
        ? { ...event, priority: 0 }
        : event,
    ]
    const asTold = altered(drive(world), asUrgent)
    expect(checkProperties([batchesWellFormed], world, asTold).stories).toEqual([
      'Group 1 was formed of pull requests 1 and 2, although 2 is urgent.',
    ])
  })

  test('is violated when a pull request that came back from a flake four times is in a batch', () => {
    const submitted = (number: number): Event => ({
      type: 'pullRequestSubmitted',
      number,
      submission: number,
      state: 'PENDING',
      priority: 100,
      priorityAsked: false,
      noBatch: false,
    })
    const formed: Event = {
      type: 'groupPlaced',
      group: 1,
      members: [1, 2],
      index: 0,
      cause: 'formed',
      bisection: null,
    }
    const back: readonly Event[] = [
      { type: 'bisectionEnded', bisection: 1, flake: true },
      {
        type: 'groupPlaced',
        group: 2,
        members: [1, 2],
        index: 0,
        cause: 'survivors',
        bisection: 1,
      },
    ]
    const tested = (driven: DrivenRun): Event[] =>
      driven.steps
        .flatMap(({ events }) => events)
        .filter((event) => event.type === 'testRunStarted')
        .slice(0, 1)
    const run = tested(drive(world))
    const after = (returns: number) => {
      const commands = [
        [submitted(1), submitted(2), formed],
        ...Array.from({ length: returns }, () => back),
        run,
      ]
      return checkProperties([batchesWellFormed], world, handWritten(commands)).stories
    }
    expect(after(3)).toEqual([])
    expect(after(4)).toEqual([
      'Run 1 tests pull requests 1 and 2 together, although 1 must be tested alone.',
    ])
  })
})
