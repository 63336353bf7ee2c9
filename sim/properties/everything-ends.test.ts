import { describe, expect, test } from 'vitest'
import type { EngineParts, Event, Queue } from '../../engine/index.ts'
import { everythingEnds } from './everything-ends.ts'
import { engineWithRules, evolving, nothing } from '../run/altered-engines.ts'
import { at, submit, submitAs } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'

/** An engine that counts wrongly at each event of this type. */
const miscounting = (type: Event['type'], count: (queue: Queue) => void): EngineParts =>
  evolving((queue, event) => {
    if (event.type === type) count(queue)
  })

describe('everything-ends', () => {
  const world = { facts: { breaks: [1] }, script: submit(0, 1, 2) }
  const batch = { ...world, configuration: { batch: true, batchingMinSize: 2 } }

  // E-120
  test('holds when every pull request has merged or failed', () => {
    expect(findingsOf(everythingEnds, world)).toMatchObject({ checks: 6, violations: [] })
    expect(findingsOf(everythingEnds, batch)).toMatchObject({ checks: 6, violations: [] })
  })

  test('holds for a pull request to which the code host still objects', () => {
    const objection = at(0, { type: 'reportPullRequest', number: 3, mergeable: false })
    const script = [objection, ...submit(0, 1, 2, 3)]
    expect(findingsOf(everythingEnds, { ...world, script }).violations).toEqual([])
  })

  // E-268
  test('holds for a pull request that depends on one that has merged and was forgotten', () => {
    const script = [
      ...submit(0, 1),
      at(11, { type: 'forget', numbers: [1] }),
      submitAs(12, 2, { dependsOn: [1] }),
    ]
    expect(findingsOf(everythingEnds, { script }).violations).toEqual([])
  })

  // E-120
  test('is violated when a failure is never acted upon', () => {
    const wrong = engineWithRules({ settleFailure: nothing })
    expect(findingsOf(everythingEnds, world, wrong).stories).toEqual([
      'At the end 1 (PENDING_FAILURE) and 2 (PENDING_FAILURE) had not ended.',
      'At the end groups were left over, with pull requests 1 and 2.',
    ])
  })

  test('is violated when a bisection never ends', () => {
    const wrong = engineWithRules({ startBisectionRuns: nothing, lookOnceMore: nothing })
    expect(findingsOf(everythingEnds, batch, wrong).stories).toEqual([
      'At the end 1 (PENDING) and 2 (PENDING) had not ended.',
      'At the end not every bisection had ended: 1 still under way.',
    ])
  })

  test('is violated when a run never ends and its slot stays taken', () => {
    const wrong = engineWithRules({ armWake: nothing })
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
