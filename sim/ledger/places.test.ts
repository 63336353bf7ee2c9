import { expect, test } from 'vitest'
import { configurationWith, type EventOf } from '../../engine/index.ts'
import type { SeenStep } from '../steps/step.ts'
import { dispatcherTo } from '../observe/watch-properties.ts'
import { line } from './line.ts'
import { places, type Places, reportedConflicts } from './places.ts'
import { queueSettings } from './queue-settings.ts'
import { targets } from './targets.ts'

const conflicting: EventOf<'pullRequestReported'> = {
  type: 'pullRequestReported',
  number: 2,
  conflictsWith: [1, 3, 4],
}

// S-46
test('the members of a batch have places in order, also those that leave it for a conflict', () => {
  const split = {
    type: 'groupSplit',
    group: 1,
    members: [2],
    into: 2,
    index: 1,
    cause: 'conflict',
  } as const
  const last = { ...split, members: [3], into: 3, index: 2 }
  const known = placesAfter(placed(1, [1, 2, 3, 4]), split, last, merged(3), merged(4))
  expect([known.isAhead(2, 3), known.isAhead(2, 4)]).toEqual([true, false])
})

test('who is split off because it is tested alone stays ahead of those that left for a conflict', () => {
  const left = {
    type: 'groupSplit',
    group: 1,
    members: [2],
    into: 2,
    index: 1,
    cause: 'conflict',
  } as const
  const alone = {
    type: 'groupSplit',
    group: 1,
    members: [3],
    into: 3,
    index: 1,
    cause: 'noBatch',
  } as const
  expect(placesAfter(placed(1, [1, 2, 3]), left, alone, merged(3)).isAhead(2, 3)).toBe(false)
})

test('a bisection takes the place away', () => {
  const bisected = { type: 'bisectionStarted', bisection: 1, group: 1, members: [2] } as const
  const start = [placed(1, [2]), placed(2, [3])]
  expect(placesAfter(...start, merged(3)).isAhead(2, 3)).toBe(true)
  expect(placesAfter(...start, bisected, merged(3)).isAhead(2, 3)).toBe(false)
})

test('a restart after stepping aside takes the place away, any other restart does not', () => {
  const failed = {
    type: 'groupFailed',
    group: 1,
    testRun: 1,
    reason: 'TEST_RUN_REQUIRED_STATUS_FAILED',
    failedTests: [],
  } as const
  const restarted = {
    type: 'groupRestarted',
    group: 1,
    reason: 'PREREQUISITE_MERGE_ITEM_FAILED',
    retry: null,
  } as const
  const start = [placed(1, [2]), placed(2, [3])]
  const aside = { ...failed, aside: true } as const
  expect(placesAfter(...start, failed, restarted, merged(3)).isAhead(2, 3)).toBe(true)
  expect(placesAfter(...start, aside, restarted, merged(3)).isAhead(2, 3)).toBe(false)
})

test('an urgent one is ahead of those that started before, but not of those that had merged', () => {
  const urgent = { ...placed(3, [2]), cause: 'urgent', index: 0 } as const
  const known = placesAfter(placed(1, [1]), placed(2, [3]), merged(1), urgent, merged(3))
  expect([known.isAhead(2, 3), known.isAhead(2, 1)]).toEqual([true, false])
})

test('an urgent one is behind those that stay ahead of it in the line', () => {
  const urgent = { ...placed(2, [2]), cause: 'urgent', index: 1 } as const
  expect(placesAfter(placed(1, [3]), urgent, merged(3)).isAhead(2, 3)).toBe(false)
})

test('who stays ahead of an urgent one stays behind those that were bisected before', () => {
  const bisected = { type: 'bisectionStarted', bisection: 1, group: 1, members: [3] } as const
  const urgent = { ...placed(3, [5]), cause: 'urgent', index: 1 } as const
  const gone = [placed(1, [3]), placed(2, [2]), bisected, urgent, merged(3)] as const
  expect(placesAfter(...gone).isAhead(2, 3)).toBe(false)
})

function placesAfter(
  ...events: readonly (
    | EventOf<'groupPlaced'>
    | EventOf<'groupSplit'>
    | EventOf<'bisectionStarted'>
    | EventOf<'groupFailed'>
    | EventOf<'groupRestarted'>
    | EventOf<'pullRequestMoved'>
  )[]
): Places {
  const theLine = line(targets(queueSettings(configurationWith({}), 'RUNNING')))
  const conflicts = reportedConflicts(null)
  const known = places(theLine, conflicts)
  const step: SeenStep = {
    sequence: 0,
    command: { type: 'wake', at: 0 },
    events: [conflicting, ...events],
    shown: { line: [], pullRequests: new Map() },
  }
  dispatcherTo([conflicts, known, theLine]).dispatch(step)
  return known
}

function placed(group: number, members: readonly number[]): EventOf<'groupPlaced'> {
  return { type: 'groupPlaced', group, members, cause: 'formed', index: group - 1, bisection: null }
}

function merged(number: number): EventOf<'pullRequestMoved'> {
  return {
    type: 'pullRequestMoved',
    number,
    from: 'TESTS_PASSED',
    to: 'MERGED',
    reason: 'MERGE_GRAPH_MERGE',
    testRun: null,
  }
}
