import { describe, expect, test } from 'vitest'
import type { ShardDocument } from './document.ts'
import { merged, mismatchOf } from './merge.ts'

/** A shard of a campaign with the seeds 1 to `to`, in which `seeds` were run. */
function shardOf(seeds: readonly number[], to = 6): ShardDocument {
  return {
    scenario: 'any',
    seeds: seeds.length,
    ran: '',
    aggregate: {},
    events: 40 * seeds.length,
    properties: [
      {
        name: 'nobody-lost',
        runs: seeds.length,
        events: 30 * seeds.length,
        checked: 10 * seeds.length,
        leftOut: seeds.length,
      },
    ],
    marks: [{ name: 'cache hit', runs: seeds.filter((seed) => seed % 2 === 0).length }],
    failures: seeds.includes(2) ? [{ seed: 2, failures: [], replay: '' }] : [],
    campaign: { from: 1, to, settings: [] },
    runs: seeds.map((seed) => ({ seed, traceHash: `${seed}`, figures: { minutes: seed } })),
  }
}

describe('shards fit together', () => {
  test('if each seed of the campaign is in exactly one of them', () => {
    expect(mismatchOf([shardOf([4, 5, 6]), shardOf([]), shardOf([1, 2, 3])])).toBeNull()
  })

  test.each([
    ['a seed is missing', [[1, 2], [5]], 'none of 3..4, 6'],
    [
      'a seed occurs twice',
      [
        [1, 2, 3],
        [3, 4, 5, 6],
      ],
      'seed 3 twice',
    ],
  ])('not if %s', (_name, parts, actual) => {
    expect(mismatchOf(parts.map((seeds) => shardOf(seeds)))?.actual).toBe(actual)
  })

  test('not if they belong to different campaigns, or if there are none', () => {
    const actual = mismatchOf([shardOf([1, 2, 3]), shardOf([4, 5, 6], 8)])?.actual
    expect(actual).toBe('{"from":1,"to":8,"settings":[]}')
    expect(mismatchOf([])).not.toBeNull()
  })
})

// S-171
test('a merge sorts runs by seed and sums counts', () => {
  expect(merged([shardOf([4, 5, 6]), shardOf([1, 2, 3])])).toMatchObject({
    seeds: 6,
    ran: '1..6',
    aggregate: { minutes: { mean: 3.5, min: 1, max: 6 } },
    events: 240,
    properties: [{ name: 'nobody-lost', runs: 6, events: 180, checked: 60, leftOut: 6 }],
    marks: [{ name: 'cache hit', runs: 3 }],
    failures: [{ seed: 2 }],
  })
})
