import { describe, expect, test } from 'vitest'
import { parts, rules, type Event, type QueueView } from '../../engine/index.ts'
import { batchesWellFormed } from './batches-well-formed.ts'
import { engineWith, mistaking } from './testing/defects.ts'
import { drive, type Drive } from './testing/drive.ts'
import { cancel, submit, submitAs } from './testing/script.ts'
import { find, tampered, told, watched } from './testing/watched.ts'

const oneMore = ({ configuration }: QueueView): Partial<QueueView> => ({
  configuration: { ...configuration, batchingMinSize: configuration.batchingMinSize + 1 },
})

describe('batches-well-formed', () => {
  const configuration = { batch: true, batchingMinSize: 2, concurrency: 1 }
  const world = { configuration, script: submit(0, 1, 2, 3) }

  test('holds for batches, and for those that are tested alone', () => {
    const script = [
      ...world.script,
      submitAs(1, 4, { noBatch: true }),
      submitAs(1, 5, { priority: 0 }),
    ]
    const { checks, violations } = find(batchesWellFormed, { ...world, script })
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(4)
  })

  test('is violated by one too many', () => {
    const wrong = engineWith({ formGroup: mistaking(rules.formGroup, oneMore) })
    expect(find(batchesWellFormed, world, wrong).stories).toEqual([
      'Group 1 was formed of pull requests 1, 2 and 3, where 2 may be tested together.',
    ])
  })

  test('is violated by one in company who asked to be tested alone', () => {
    const asAlone = (event: Event): Event[] => [
      event.type === 'pullRequestSubmitted' && event.number === 1
        ? { ...event, noBatch: true }
        : event,
    ]
    const asTold = tampered(drive(world), asAlone)
    expect(watched([batchesWellFormed], world, asTold).stories).toEqual([
      'Run 1 tests pull requests 1 and 2 together, and 1 is to be tested alone.',
    ])
  })

  test('is violated by one who asked for it later, when the batch restarts', () => {
    const three = { ...configuration, batchingMinSize: 3 }
    const script = [...submit(0, 1, 2, 3), submitAs(1, 1, { noBatch: true }), cancel(2, 3)]
    const wrong = engineWith({}, { evolve: forgettingNoBatch })
    expect(find(batchesWellFormed, { configuration: three, script }).violations).toEqual([])
    expect(find(batchesWellFormed, { configuration: three, script }, wrong).stories).toEqual([
      'Run 2 tests pull requests 1 and 2 together, and 1 is to be tested alone.',
    ])
  })

  test('is violated by an urgent one in company', () => {
    const asUrgent = (event: Event): Event[] => [
      event.type === 'pullRequestSubmitted' && event.number === 2
        ? { ...event, priority: 0 }
        : event,
    ]
    const asTold = tampered(drive(world), asUrgent)
    expect(watched([batchesWellFormed], world, asTold).stories).toEqual([
      'Group 1 was formed of pull requests 1 and 2, and 2 is urgent.',
    ])
  })

  test('is violated by one in company who came back from a flake four times', () => {
    const submitted = (number: number): Event => ({
      type: 'pullRequestSubmitted',
      number,
      submission: number,
      state: 'PENDING',
      priority: 100,
      priorityAsked: false,
      noBatch: false,
    })
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
    const tested = (driven: Drive): Event[] =>
      driven.moments
        .flatMap(({ events }) => events)
        .filter((event) => event.type === 'testRunStarted')
        .slice(0, 1)
    const run = tested(drive(world))
    const after = (returns: number) => {
      const commands = [
        [submitted(1), submitted(2)],
        ...Array.from({ length: returns }, () => back),
        run,
      ]
      return watched([batchesWellFormed], world, told(commands)).stories
    }
    expect(after(3)).toEqual([])
    expect(after(4)).toEqual([
      'Run 1 tests pull requests 1 and 2 together, and 1 is to be tested alone.',
    ])
  })
})

const forgettingNoBatch: typeof parts.evolve = (queue, event) => {
  parts.evolve(queue, event)
  for (const each of Object.values(queue.pullRequests)) each.noBatch = false
}
