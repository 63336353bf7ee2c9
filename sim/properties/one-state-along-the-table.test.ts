import { describe, expect, test } from 'vitest'
import type { Event } from '../../engine/index.ts'
import type { Step } from '../steps/step.ts'
import { oneStateAlongTheTable } from './one-state-along-the-table.ts'
import { drive } from './testing/drive.ts'
import { cancel, submit } from './testing/script.ts'
import { findingsOf, altered, checkProperties } from './testing/watched.ts'

describe('one-state-along-the-table', () => {
  const world = {
    facts: { breaks: [1] },
    script: [...submit(0, 1, 2), ...submit(50, 1), cancel(51, 1)],
  }
  const withMoves = (alter: (event: Event) => readonly Event[]) =>
    checkProperties([oneStateAlongTheTable], world, altered(drive(world), alter)).stories

  test('holds for a failure, a merge, a new submission and a cancel', () => {
    const { checks, violations } = findingsOf(oneStateAlongTheTable, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(10)
  })

  // E-15
  test('is violated by a reason that is not in the table', () => {
    const stories = withMoves((event) => [
      event.type === 'pullRequestMoved' && event.to === 'FAILED'
        ? { ...event, reason: 'MERGE_GRAPH_MERGE' }
        : event,
    ])
    expect(stories).toEqual([
      'Pull request 1 went from PENDING_FAILURE to FAILED (MERGE_GRAPH_MERGE), but the table has no such row.',
    ])
  })

  test('is violated when a move is not reported', () => {
    const stories = withMoves((event) =>
      event.type === 'pullRequestMoved' && event.to === 'PENDING_FAILURE' ? [] : [event],
    )
    expect(stories[0]).toBe(
      'Pull request 1 went from PENDING_FAILURE to FAILED (TEST_RUN_REQUIRED_STATUS_FAILED), but it was in TESTING.',
    )
  })

  // E-16, E-113
  test('is violated when a pull request ends twice or is submitted while in the queue', () => {
    const stories = withMoves((event) =>
      event.type === 'pullRequestMoved' && event.to === 'MERGED' ? [event, event] : [event],
    )
    expect(stories).toEqual([
      'Pull request 2 went from TESTS_PASSED to MERGED (MERGE_GRAPH_MERGE), but it is not in the queue.',
    ])
    const twice = withMoves((event) =>
      event.type === 'pullRequestSubmitted' && event.number === 2 ? [event, event] : [event],
    )
    expect(twice).toEqual(['Pull request 2 was submitted into PENDING while in PENDING.'])
  })

  test('is violated when the queue shows another state', () => {
    const { steps, queue } = drive(world)
    const shown = steps.map((step): Step => {
      const known = step.queue.pullRequests[2]
      if (known?.state !== 'MERGED') return step
      const wrong = { ...known, state: 'PENDING' } as const
      const pullRequests = { ...step.queue.pullRequests, 2: wrong }
      return { ...step, queue: { ...step.queue, pullRequests } }
    })
    expect(
      checkProperties([oneStateAlongTheTable], world, { steps: shown, queue }).stories,
    ).toEqual(['Pull request 2 is out of the queue by its moves, and the queue shows PENDING.'])
  })
})
