import { describe, expect, test } from 'vitest'
import type { Command } from '../../engine/index.ts'
import { drawsOf } from '../random/draw.ts'
import { commandsOf, endsOf, pullRequests, simulated, violated } from '../testing/simulated.ts'
import { Faults } from './faults.ts'

describe('the code host', () => {
  test('merges at once if the scenario says nothing about merges', () => {
    const result = simulated({ queue: { concurrency: 1 }, pullRequests: pullRequests(2) })
    expect(result.pullRequests.map(({ concludedAt }) => concludedAt)).toEqual([10, 20])
  })

  test('answers after the given time', () => {
    const result = simulated({ pullRequests: pullRequests(2), faults: { mergeMinutes: 0.5 } })
    expect(result.pullRequests.map(({ concludedAt }) => concludedAt)).toEqual([10.5, 11])
  })

  test('refuses a merge, and the pull request fails', () => {
    const result = simulated({ pullRequests: pullRequests(2), faults: { mergeRefusedRate: 1 } })
    expect(endsOf(result)).toEqual({ 1: 'FAILED', 2: 'FAILED' })
    expect(result.pullRequests[0]?.reason).toBe('GITHUB_API_MERGE_PR_FAILED')
  })

  test.each([
    [{ mergeConflictRate: 1 }, 'START_TEST_RUN_MERGE_CONFLICT'],
    [{ mergePushedRate: 1 }, 'PR_UPDATED_AT_MERGE_TIME'],
  ])('gives the reason of the refusal: %o', (faults, reason) => {
    const result = simulated({ pullRequests: pullRequests(2), faults })
    expect(result.pullRequests.map((each) => each.reason)).toEqual([reason, reason])
  })

  // E-208
  test('somebody pushes during a merge, and nobody fails', () => {
    const queue = { batch: true, batchingMinSize: 3 }
    const faults = { branchMovedRate: 0.5, mergeMinutes: 2 }
    const result = simulated({ queue, pullRequests: pullRequests(30), faults })
    expect(new Set(Object.values(endsOf(result)))).toEqual(new Set(['MERGED']))
    expect(result.totals.testRuns).toBeGreaterThan(10)
  })

  test('refuses for each reason at the given rate', () => {
    const faults = new Faults(
      { mergeRefusedRate: 0.2, mergeConflictRate: 0.2, mergePushedRate: 0.2 },
      drawsOf(1),
    )
    const drawn = Array.from({ length: 1000 }, (_, key) => faults.refusalOf(key))
    const counts = [
      'GITHUB_API_MERGE_PR_FAILED',
      'START_TEST_RUN_MERGE_CONFLICT',
      'PR_UPDATED_AT_MERGE_TIME',
    ].map((reason) => drawn.filter((each) => each === reason).length)
    for (const count of counts) expect(Math.abs(count - 200)).toBeLessThan(50)
  })

  test('draws each refusal separately when a pull request is submitted again', () => {
    const events = Array.from({ length: 30 }, (_, index) => ({
      at: 20 * (index + 1),
      do: 'submit' as const,
      number: 1,
    }))
    const attempts = simulated({
      pullRequests: pullRequests(1),
      events,
      faults: { mergeRefusedRate: 0.5 },
    })
    expect(attempts.mergeOrder.length).toBeGreaterThan(5)
    expect(attempts.mergeOrder.length).toBeLessThan(26)
  })
})

describe('a code host that lands groups', () => {
  const batch = {
    queue: { concurrency: 1, batch: true, batchingMinSize: 3 },
    pullRequests: pullRequests(3),
    codeHost: { landsGroups: true },
  }

  // S-246
  test('answers once for all members of a group', () => {
    const { accepted } = commandsOf(batch)
    expect(accepted.filter(({ type }) => type === 'finishMerge')).toMatchObject([
      { number: 1, numbers: [1, 2, 3], refused: null },
    ])
  })

  // S-39, S-246
  test('may land only the first of them, each time', () => {
    const { accepted } = commandsOf({ ...batch, faults: { partialPushRate: 1 } })
    const landed = accepted.flatMap((command) =>
      command.type === 'finishMerge' ? [command.numbers ?? [command.number]] : [],
    )
    expect(landed.length).toBeGreaterThan(1)
    expect(landed.flat()).toEqual([1, 2, 3])
  })

  // S-246
  test('refuses a push because of any of its members, sooner or later', () => {
    const culprits = new Set<number>()
    for (let seed = 1; seed <= 20; seed++) {
      const { accepted } = commandsOf({ ...batch, seed, faults: { mergeRefusedRate: 1 } })
      const first = accepted.find(({ type }) => type === 'finishMerge')
      if (first?.type === 'finishMerge') culprits.add(first.number)
    }
    expect(culprits).toEqual(new Set([1, 2, 3]))
  })
})

describe('conflicts that a build finds', () => {
  const conflicting = {
    queue: { concurrency: 2 },
    pullRequests: [{ number: 1 }, { number: 2, conflictsWith: [1] }],
    codeHost: { conflictsFoundByBuild: true },
  }

  // S-245
  test('are not reported beforehand, but shortly after the start of a run', () => {
    const { accepted, refused } = commandsOf(conflicting)
    expect(accepted.filter(({ type }) => type === 'reportPullRequest')).toEqual([])
    expect(accepted.filter(({ type }) => type === 'reportUnbuildable')).toEqual([
      { type: 'reportUnbuildable', testRun: 2, number: 2, conflictsWith: 1, at: 6000 },
    ])
    expect(refused).toEqual([])
    const result = simulated(conflicting)
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'FAILED' })
    expect(violated(result)).toEqual([])
  })

  // S-245
  test('are found with the tip as well', () => {
    const later = [{ number: 1 }, { number: 2, at: 20, conflictsWith: [1] }]
    const { accepted } = commandsOf({ ...conflicting, pullRequests: later })
    expect(accepted).toContainEqual(
      expect.objectContaining({ type: 'reportUnbuildable', number: 2, conflictsWith: 'tip' }),
    )
  })

  // S-245
  test('are reported again while the host is merging one of the two', () => {
    const lanes = [
      { number: 1, targets: ['web'], testMinutes: 30 },
      { number: 2, targets: ['api'], conflictsWith: [1] },
      { number: 3, at: 10.5, targets: ['web', 'api'] },
    ]
    const { accepted, refused } = commandsOf({
      ...conflicting,
      queue: { mode: 'parallel', concurrency: 3 },
      pullRequests: lanes,
      faults: { mergeMinutes: 5 },
    })
    const isReport = ({ type }: Command): boolean => type === 'reportUnbuildable'
    expect(refused.filter(isReport).length).toBeGreaterThan(1)
    expect(accepted.find(isReport)).toMatchObject({ number: 1, conflictsWith: 'tip' })
  })
})
