import { describe, expect, test } from 'vitest'
import { engineParts } from '../../engine/index.ts'
import type { EngineParts, Event, Queue, EventOf, PullRequestState } from '../../engine/index.ts'
import { after, without } from '../defects/alterations.ts'
import {
  at,
  submit,
  submitAs,
  cancel,
  findingsOf,
  altered,
  checkProperties,
  drive,
  cancelWithoutRestarts,
} from './testing/scripted-queue.ts'
import { defectNamed } from '../defects/index.ts'
import { everythingEnds } from './everything-ends.ts'
import { mergesAreSeenThrough } from './merges-are-seen-through.ts'
import { oneStateAlongTheTable } from './one-state-along-the-table.ts'
import { stacksStayWhole } from './stacks-stay-whole.ts'

/** An engine that counts wrongly at each event of this type. */
const miscounting = (type: Event['type'], count: (queue: Queue) => void): EngineParts =>
  after(type, count)

describe('everything-ends', () => {
  const world = { facts: { breaks: [1] }, script: submit(0, 1, 2) }
  const batch = { ...world, configuration: { batch: true, batchingMinSize: 2 } }

  test('holds for a pull request to which the code host still objects', () => {
    const objection = at(0, { type: 'reportPullRequest', number: 3, mergeable: false })
    const script = [objection, ...submit(0, 1, 2, 3)]
    expect(findingsOf(everythingEnds, { ...world, script }).violations).toEqual([])
  })

  // E-120
  test('is violated when a failure is never acted upon', () => {
    const wrong = without('settleFailure')
    expect(findingsOf(everythingEnds, world, wrong).stories).toEqual([
      'At the end 1 (PENDING_FAILURE) and 2 (PENDING_FAILURE) had not ended.',
      'At the end groups were left over, with pull requests 1 and 2.',
    ])
  })

  test('is violated when a bisection never ends', () => {
    const wrong = without('startBisectionRuns', 'lookOnceMore')
    expect(findingsOf(everythingEnds, batch, wrong).stories).toEqual([
      'At the end 1 (PENDING) and 2 (PENDING) had not ended.',
      'At the end not every bisection had ended: 1 still under way.',
    ])
  })

  test('is violated when a run never ends and its slot stays taken', () => {
    const wrong = without('armWake')
    const hanging = { ...world, faultyRuns: { 1: 'hangs' } as const }
    expect(findingsOf(everythingEnds, hanging, wrong).stories).toContain(
      'At the end run 1 had not ended.',
    )
    const leaking = miscounting('testRunCancelled', (queue) => queue.slots.main++)
    expect(findingsOf(everythingEnds, world, leaking).stories).toEqual([
      'At the end slots were taken, 1 main and 0 of bisections.',
    ])
  })

  // E-224
  test('is violated when a pull request leaves and stays counted among those that wait', () => {
    const wrong = miscounting('pullRequestSubmitted', (queue) => queue.order.pending++)
    expect(findingsOf(everythingEnds, world, wrong).stories).toEqual([
      'At the end the state still held: pending (2).',
    ])
  })
})

describe('merges-are-seen-through', () => {
  const world = { mergeMinutes: 5, script: [...submit(0, 1, 2), cancel(12, 1)] }

  test('holds when a cancel waits for the answer of the code host', () => {
    expect(findingsOf(mergesAreSeenThrough, world)).toMatchObject({ checks: 9, violations: [] })
  })

  test('is violated when the cancel takes effect at once', () => {
    const wrong = { ...engineParts, decide: cancelWithoutRestarts }
    expect(findingsOf(mergesAreSeenThrough, world, wrong).stories).toEqual([
      'Pull request 1 became CANCELLED at minute 12, while the merge asked for at minute 10 had not been answered.',
    ])
  })

  test('is violated when one merge is requested twice or never answered', () => {
    const driven = drive(world)
    const twice = altered(driven, (event) =>
      event.type === 'mergeRequested' && event.number === 1 ? [event, event] : [event],
    )
    expect(checkProperties([mergesAreSeenThrough], world, twice).stories).toEqual([
      'The merge of pull request 1 was asked for at minute 10 and again at minute 10.',
    ])
    const never = altered(driven, (event) =>
      event.type === 'pullRequestMoved' && event.to === 'MERGED' && event.number === 2
        ? []
        : [event],
    )
    expect(checkProperties([mergesAreSeenThrough], world, never).stories).toEqual([
      'At minute 20 the code host had merged pull request 2, but the queue had not noticed.',
    ])
  })

  test('is violated when the code host never answers', () => {
    const driven = drive(world)
    const steps = driven.steps.filter(({ command }) => {
      return command.type !== 'finishMerge' || command.number !== 2
    })
    expect(checkProperties([mergesAreSeenThrough], world, { ...driven, steps }).stories).toEqual([
      'At the end the code host had not answered for 2.',
    ])
  })

  // E-219, E-221
  test('is violated when only the first of a push becomes MERGED, or too many', () => {
    const land = (numbers: readonly number[]) =>
      at(20, { type: 'finishMerge', number: 1, numbers, refused: null })
    const pushed = (numbers: readonly number[]) => ({
      configuration: { batch: true, batchingMinSize: 3, concurrency: 1 },
      // The answer below comes first.
      mergeMinutes: 100,
      script: [
        at(0, { type: 'attachHost', codeHost: 'groups' }),
        ...submit(0, 1, 2, 3),
        land(numbers),
      ],
    })
    const whole = pushed([1, 2, 3])
    expect(findingsOf(mergesAreSeenThrough, whole).violations).toEqual([])
    const first = defectNamed('push-lands-only-the-first').parts
    expect(findingsOf(mergesAreSeenThrough, whole, first).stories[0]).toBe(
      'At minute 20 the code host had merged pull requests 2 and 3, but the queue had not noticed.',
    )
    const all = defectNamed('part-of-a-push-lands-all').parts
    expect(findingsOf(mergesAreSeenThrough, pushed([1, 2]), all).stories[0]).toBe(
      'Pull request 3 became MERGED at minute 20, but the code host had not merged it.',
    )
  })
})

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

const stack = [...submit(0, 1), submitAs(0, 2, { dependsOn: [1] }), ...submit(0, 3)]

describe('stacks-stay-whole', () => {
  // E-261
  test('holds when a stack lands from below, and when a person merges its top by hand', () => {
    const byHand = at(1, { type: 'reportManualMerge', number: 2 })
    for (const script of [stack, [...stack, byHand]]) {
      const { checks, violations } = findingsOf(stacksStayWhole, { script })
      expect(violations).toEqual([])
      expect(checks).toBeGreaterThan(0)
    }
  })

  // E-261
  test('is violated when one merges before what it depends on', () => {
    const world = {
      configuration: { directMergeMode: 'always', mode: 'parallel' },
      script: [
        ...[1, 2].map((number) => at(0, { type: 'setImpactedTargets', number, targets: [] })),
        at(0, { type: 'reportPullRequest', number: 2, greenOnTip: true }),
        ...stack,
      ],
    } as const
    expect(findingsOf(stacksStayWhole, world).violations).toEqual([])
    const wrong = defectNamed('direct-merge-past-what-it-depends-on').parts
    expect(findingsOf(stacksStayWhole, world, wrong).stories).toEqual([
      'Pull request 2 landed, and it depends on pull request 1, not on the branch yet.',
    ])
  })

  // E-264
  test('is violated when one stays although what it depends on has left', () => {
    const world = { script: stack, facts: { breaks: [1] } }
    expect(findingsOf(stacksStayWhole, world).violations).toEqual([])
    const wrong = defectNamed('stays-without-what-it-depends-on').parts
    expect(findingsOf(stacksStayWhole, world, wrong).stories[0]).toBe(
      'Pull request 2 stayed in the queue when pull request 1, on which it depends, had left.',
    )
  })
})
