import { describe, expect, test } from 'vitest'
import { parts } from '../../engine/index.ts'
import { everythingEnds } from './everything-ends.ts'
import { engineWith, nothing } from './testing/defects.ts'
import { at, submit } from './testing/script.ts'
import { find } from './testing/watched.ts'

describe('everything-ends', () => {
  const world = { facts: { breaks: [1] }, script: submit(0, 1, 2) }
  const batch = { ...world, configuration: { batch: true, batchingMinSize: 2 } }

  test('holds when everybody has merged or failed', () => {
    expect(find(everythingEnds, world)).toMatchObject({ checks: 5, violations: [] })
    expect(find(everythingEnds, batch)).toMatchObject({ checks: 5, violations: [] })
  })

  test('holds for one to whom the code host goes on objecting', () => {
    const objection = at(0, { type: 'reportPullRequest', number: 3, mergeable: false })
    const script = [objection, ...submit(0, 1, 2, 3)]
    expect(find(everythingEnds, { ...world, script }).violations).toEqual([])
  })

  test('is violated when a failure is never acted upon', () => {
    const wrong = engineWith({ settleFailure: nothing })
    expect(find(everythingEnds, world, wrong).stories).toEqual([
      'In the end 1 (PENDING_FAILURE) and 2 (PENDING_FAILURE) had not ended.',
      'In the end pull requests 1 and 2 were left in the line.',
    ])
  })

  test('is violated when a bisection never ends', () => {
    const wrong = engineWith({ startBisectionRuns: nothing })
    expect(find(everythingEnds, batch, wrong).stories).toEqual([
      'In the end 1 (PENDING) and 2 (PENDING) had not ended.',
      'In the end not every bisection had ended: 1 went on.',
    ])
  })

  test('is violated by a run that hangs for ever, and by a slot that stays taken', () => {
    const wrong = engineWith({ armWake: nothing })
    const hanging = { ...world, oddRuns: { 1: 'hangs' } as const }
    expect(find(everythingEnds, hanging, wrong).stories).toContain(
      'In the end run 1 had not ended.',
    )
    const leaking = engineWith(
      {},
      {
        evolve(queue, event) {
          parts.evolve(queue, event)
          if (event.type === 'testRunCancelled') queue.slots.main++
        },
      },
    )
    expect(find(everythingEnds, world, leaking).stories).toEqual([
      'In the end slots were taken, 1 main and 0 of bisections.',
    ])
  })
})
