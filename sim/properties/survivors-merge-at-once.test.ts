import { describe, expect, test } from 'vitest'
import { engineWithRules, nothing } from './testing/defects.ts'
import { at, submit, submitAs, update } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'
import { survivorsMergeAtOnce } from './survivors-merge-at-once.ts'

describe('survivors-merge-at-once', () => {
  const configuration = { batch: true, batchingMinSize: 3, concurrency: 1, bisectionConcurrency: 1 }
  const world = { configuration, facts: { breaks: [2] }, script: submit(0, 1, 2, 3) }
  const neverMerging = engineWithRules({ mergeSurvivors: nothing })

  // E-88
  test('holds when survivors merge as soon as they are proven', () => {
    expect(findingsOf(survivorsMergeAtOnce, world).violations).toEqual([])
  })

  // E-88
  test('holds when they cannot, because a group stands on the branch without them', () => {
    const script = [...world.script, ...submit(1, 4, 5, 6)]
    const { checks, violations } = findingsOf(survivorsMergeAtOnce, { ...world, script })
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  // E-110, E-153
  test('holds when they cannot, because a person merged one of another lane out of turn', () => {
    // 1 and 2 are bisected for a flake. Meanwhile 4 is merged by hand although 3 is ahead of it.
    const byHand = {
      configuration: {
        mode: 'parallel',
        batch: true,
        batchingMinSize: 2,
        bisectionConcurrency: 1,
      },
      faultyRuns: { 1: 'flakes' },
      script: [
        ...[1, 2, 3, 4].map((number) =>
          at(0, { type: 'setImpactedTargets', number, targets: [number < 3 ? 'core' : 'web'] }),
        ),
        ...submit(0, 1, 2),
        ...submit(8, 3, 4),
        at(15, { type: 'reportManualMerge', number: 4 }),
      ],
    } as const
    const { checks, violations } = findingsOf(survivorsMergeAtOnce, byHand)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  // E-143, E-153
  test('holds when they cannot, because a group stands on a member that merges and moved to its lane', () => {
    // 3 is uploaded anew while it is tested with 2. 1 starts on top of 3, before 2 is proven.
    const upload = (minute: number, number: number, target: string) =>
      at(minute, { type: 'setImpactedTargets', number, targets: [target] })
    const moved = {
      configuration: { mode: 'parallel', batch: true, batchingMinSize: 2 },
      faultyRuns: { 1: 'flakes' },
      runMinutes: [20, 10, 10],
      mergeMinutes: 20,
      script: [
        ...[upload(0, 1, 'core'), upload(0, 2, 'api'), upload(0, 3, 'api')],
        ...[...submit(0, 3, 2), upload(1, 3, 'core'), submitAs(22, 1, { noBatch: true })],
      ],
    } as const
    const { checks, violations } = findingsOf(survivorsMergeAtOnce, moved)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test('is violated when survivors return to the line although nothing is in their way', () => {
    expect(findingsOf(survivorsMergeAtOnce, world, neverMerging).stories[0]).toMatch(
      /^At minute \d+ the bisection has proven pull request 1, which may merge and did not\.$/,
    )
  })

  // E-88, E-184
  test('is violated in a PAUSED queue too: proven members leave their bisection there as well', () => {
    const script = [
      ...world.script,
      update(15, { state: 'PAUSED' }),
      update(60, { state: 'RUNNING' }),
    ]
    const paused = { ...world, script }
    expect(findingsOf(survivorsMergeAtOnce, paused).violations).toEqual([])
    expect(findingsOf(survivorsMergeAtOnce, paused, neverMerging).violations).not.toEqual([])
  })
})
