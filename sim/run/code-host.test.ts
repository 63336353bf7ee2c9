import { describe, expect, test } from 'vitest'
import type { Command } from '../../engine/index.ts'
import { commandsOf, endsOf, pullRequests, violated, simulated } from '../testing/simulated.ts'

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
