import { describe, expect, test } from 'vitest'
import { rules, type Event } from '../../engine/index.ts'
import { mergesInOrder } from './merges-in-order.ts'
import { engineWithRules, withMisreadQueue } from '../run/altered-engines.ts'
import { drive } from './testing/drive.ts'
import { engineOf } from './testing/planted.ts'
import { at, submit, submitAs, update } from './testing/script.ts'
import { findingsOf, altered, checkProperties } from './testing/watched.ts'

describe('merges-in-order', () => {
  // The run of the second ends before that of the first.
  const world = { runMinutes: [5, 10], script: submit(0, 1, 2) }
  // While 1, 2 and 3 are bisected, 4 passes behind them.
  const bisecting = {
    configuration: { batch: true, batchingMinSize: 3, batchingMaxWaitTimeMinutes: 0 },
    facts: { breaks: [3] },
    script: [...submit(0, 9), ...submit(1, 1, 2, 3), ...submit(2, 4, 5, 6)],
  }

  // E-114
  test('holds when a group that passed waits for the groups ahead', () => {
    const { checks, violations } = findingsOf(mergesInOrder, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test('holds when no group merges past a bisection, except an urgent group ahead of it', () => {
    const script = [...bisecting.script, submitAs(15, 7, { priority: 0 })]
    expect(findingsOf(mergesInOrder, { ...bisecting, script }).violations).toEqual([])
  })

  // E-96
  test('holds when a group restarts after targets have shrunk, and a successor clears it', () => {
    const targets = (number: number, minute: number, name: string) =>
      at(minute, { type: 'setImpactedTargets', number, targets: [name] })
    const restart = (number: number, minute: number) => at(minute, { type: 'restartTests', number })
    const shrunk = {
      configuration: { mode: 'parallel', concurrency: 3, canOptimisticallyMerge: true },
      mergeMinutes: 20,
      script: [
        ...[targets(1, 0, 'a'), targets(2, 0, 'a'), targets(3, 0, 'a')],
        ...submit(0, 1, 2, 3),
        ...[targets(1, 1, 'b'), restart(1, 2)],
        // 2 waits for a slot. The run of 3 contains 1 and 2, and clears both.
        ...[update(3, { concurrency: 1 }), restart(2, 4)],
      ],
    } as const
    const { checks, violations } = findingsOf(mergesInOrder, shrunk)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  // E-114
  test('is violated when a group merges before its predecessor', () => {
    const wrong = engineOf('merge-order-swapped')
    expect(findingsOf(mergesInOrder, world, wrong).stories).toEqual([
      'Pull request 2 was to merge while pull request 1 ahead had not.',
    ])
  })

  test('is violated when a group merges past a failure that is being bisected', () => {
    const wrong = engineWithRules({
      merge: withMisreadQueue(rules.merge, () => ({ bisections: [] })),
    })
    const slow = { ...bisecting, configuration: { ...bisecting.configuration, concurrency: 2 } }
    expect(findingsOf(mergesInOrder, slow).violations).toEqual([])
    expect(findingsOf(mergesInOrder, slow, wrong).stories[0]).toMatch(
      /^Pull request \d was to merge while the failure of pull requests .* was still being bisected\.$/,
    )
  })

  test('is violated when a pull request becomes MERGED without a commit', () => {
    const alter = (event: Event): Event[] =>
      event.type === 'tipMoved' && event.number === 2 ? [] : [event]
    expect(checkProperties([mergesInOrder], world, altered(drive(world), alter)).stories).toEqual([
      'Pull request 2 became MERGED, but its commit had not landed.',
    ])
  })

  test('is violated by a commit whose pull request is not merged', () => {
    const alter = (event: Event): Event[] =>
      event.type === 'pullRequestMoved' && event.to === 'MERGED' && event.number === 2
        ? []
        : [event]
    expect(checkProperties([mergesInOrder], world, altered(drive(world), alter)).stories).toContain(
      'The commit of pull request 2 landed, but the pull request did not become MERGED.',
    )
  })
})
