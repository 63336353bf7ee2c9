import { describe, expect, test } from 'vitest'
import type { Event, EventOf, PullRequestState } from '../../engine/index.ts'
import { defectNamed } from '../defects/index.ts'
import { oneStateAlongTheTable } from './one-state-along-the-table.ts'
import { drive } from './testing/drive.ts'
import { at, cancel, submit, submitAs, update } from './testing/script.ts'
import { findingsOf, altered, checkProperties } from './testing/watched.ts'

const isMove = (event: Event, to: PullRequestState): event is EventOf<'pullRequestMoved'> =>
  event.type === 'pullRequestMoved' && event.to === to

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

  // E-15, E-16, E-113
  test.each<[wrongly: string, wrong: (event: Event) => readonly Event[], story: string]>([
    [
      'moves for a reason that is not in the table',
      (event) => (isMove(event, 'FAILED') ? [{ ...event, reason: 'MERGE_GRAPH_MERGE' }] : [event]),
      'pullRequestMoved: pull request 1 cannot go from PENDING_FAILURE to FAILED',
    ],
    [
      'moves without a word',
      (event) => (isMove(event, 'PENDING_FAILURE') ? [] : [event]),
      'pullRequestMoved: ',
    ],
    [
      'ends twice',
      (event) => (isMove(event, 'MERGED') ? [event, event] : [event]),
      'pullRequestMoved: ',
    ],
    [
      'is submitted while in the queue',
      (event) =>
        event.type === 'pullRequestSubmitted' && event.number === 2 ? [event, event] : [event],
      'pullRequestSubmitted: ',
    ],
  ])('is violated when a pull request %s', (_, wrong, story) => {
    expect(withMoves(wrong)[0]).toContain(`An event contradicts the state before it: ${story}`)
  })

  test('is violated when the queue shows another state at the end', () => {
    const run = drive(world)
    const known = run.queue.pullRequests[2]
    const pullRequests = known ? { 2: { ...known, state: 'PENDING' } as const } : {}
    const queue = { ...run.queue, pullRequests }
    expect(checkProperties([oneStateAlongTheTable], world, { ...run, queue }).stories).toEqual([
      'At the end the queue shows other states than the events say, of pull request 2.',
    ])
  })

  describe('with batches', () => {
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
      const { checks, violations } = findingsOf(oneStateAlongTheTable, { ...batch, script })
      expect(violations).toEqual([])
      expect(checks).toBeGreaterThan(0)
    })

    // E-113
    test('is violated when survivors do not return to the line', () => {
      const wrong = defectNamed('survivors-lost').parts
      expect(findingsOf(oneStateAlongTheTable, batch).violations).toEqual([])
      expect(findingsOf(oneStateAlongTheTable, batch, wrong).stories[0]).toBe(
        'After finishTestRun pull request 2 is PENDING, which its place (bisection) does not allow.',
      )
    })
  })

  test('is violated when an event contradicts the state', () => {
    const leaving = altered(drive(world), (event) =>
      event.type === 'groupPassed' ? [{ type: 'groupLeft', group: event.group }, event] : [event],
    )
    expect(checkProperties([oneStateAlongTheTable], world, leaving).stories[0]).toBe(
      'An event contradicts the state before it: groupPassed: no group 2.',
    )
  })
})
