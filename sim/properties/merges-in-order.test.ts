import { describe, expect, test } from 'vitest'
import { rules, type Event } from '../../engine/index.ts'
import { mergesInOrder } from './merges-in-order.ts'
import { engineWith, mistaking } from './testing/defects.ts'
import { drive } from './testing/drive.ts'
import { submit, submitAs } from './testing/script.ts'
import { find, tampered, watched } from './testing/watched.ts'
import { mergeTheLastThatPassed } from './testing/wrong-rules.ts'

describe('merges-in-order', () => {
  // The second is through before the first.
  const world = { runMinutes: [5, 10], script: submit(0, 1, 2) }
  // While 1, 2 and 3 are bisected, 4 passes behind them.
  const bisecting = {
    configuration: { batch: true, batchingMinSize: 3, batchingMaxWaitTimeMinutes: 0 },
    facts: { breaks: [3] },
    script: [...submit(0, 9), ...submit(1, 1, 2, 3), ...submit(2, 4, 5, 6)],
  }

  test('holds when who passed first waits for who came first', () => {
    const { checks, violations } = find(mergesInOrder, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test('holds when nothing merges past a bisection, and an urgent one ahead of it', () => {
    const script = [...bisecting.script, submitAs(15, 7, { priority: 0 })]
    expect(find(mergesInOrder, { ...bisecting, script }).violations).toEqual([])
  })

  test('is violated when who passed first merges first', () => {
    const wrong = engineWith({ merge: mergeTheLastThatPassed })
    expect(find(mergesInOrder, world, wrong).stories).toEqual([
      'Pull request 2 was to merge while pull request 1 ahead had not.',
    ])
  })

  test('is violated when a group merges past a failure that is being bisected', () => {
    const wrong = engineWith({ merge: mistaking(rules.merge, () => ({ bisections: [] })) })
    const slow = { ...bisecting, configuration: { ...bisecting.configuration, concurrency: 2 } }
    expect(find(mergesInOrder, slow).violations).toEqual([])
    expect(find(mergesInOrder, slow, wrong).stories[0]).toMatch(
      /^Pull request \d was to merge while the failure of pull requests .* was still being bisected\.$/,
    )
  })

  test('is violated by a pull request without a commit of its own', () => {
    const bend = (event: Event): Event[] =>
      event.type === 'tipMoved' && event.number === 2 ? [] : [event]
    expect(watched([mergesInOrder], world, tampered(drive(world), bend)).stories).toEqual([
      'Pull request 2 was called merged, and no commit of its own had landed.',
    ])
  })

  test('is violated by a commit whose pull request is not merged', () => {
    const bend = (event: Event): Event[] =>
      event.type === 'pullRequestMoved' && event.to === 'MERGED' && event.number === 2
        ? []
        : [event]
    expect(watched([mergesInOrder], world, tampered(drive(world), bend)).stories).toContain(
      'The commit of pull request 2 landed, and the pull request was not merged.',
    )
  })
})
