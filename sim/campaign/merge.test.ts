import { describe, expect, test } from 'vitest'
import type { ShardDocument } from './document.ts'
import { merged, misfitOf } from './merge.ts'

/** A shard of seeds 1..6 in which these were run. */
function shardOf(seeds: readonly number[], to = 6): ShardDocument {
  return {
    scenario: 'any',
    seeds: seeds.length,
    ran: '',
    aggregate: {},
    properties: [{ name: 'nobody-lost', checked: 10 * seeds.length }],
    marks: [{ name: 'cache hit', runs: seeds.filter((seed) => seed % 2 === 0).length }],
    failures: seeds.includes(2) ? [{ seed: 2, failures: [], replay: '' }] : [],
    campaign: { from: 1, to, settings: [] },
    runs: seeds.map((seed) => ({ seed, traceHash: `${seed}`, figures: { minutes: seed } })),
  }
}

describe('shards fit', () => {
  test('when each seed of the campaign is in one of them', () => {
    expect(misfitOf([shardOf([4, 5, 6]), shardOf([]), shardOf([1, 2, 3])])).toBeNull()
  })

  test.each([
    ['a seed is missing', [[1, 2], [5]], 'none of 3..4, 6'],
    [
      'a seed comes twice',
      [
        [1, 2, 3],
        [3, 4, 5, 6],
      ],
      'seed 3 twice',
    ],
  ])('not when %s', (_name, parts, came) => {
    expect(misfitOf(parts.map((seeds) => shardOf(seeds)))?.came).toBe(came)
  })

  test('not when they are of different campaigns, nor when there are none', () => {
    const came = misfitOf([shardOf([1, 2, 3]), shardOf([4, 5, 6], 8)])?.came
    expect(came).toBe('{"from":1,"to":8,"settings":[]}')
    expect(misfitOf([])).not.toBeNull()
  })
})

test('merged, runs are in the order of their seeds and counts are summed', () => {
  expect(merged([shardOf([4, 5, 6]), shardOf([1, 2, 3])])).toMatchObject({
    seeds: 6,
    ran: '1..6',
    aggregate: { minutes: { mean: 3.5, min: 1, max: 6 } },
    properties: [{ name: 'nobody-lost', checked: 60 }],
    marks: [{ name: 'cache hit', runs: 3 }],
    failures: [{ seed: 2 }],
  })
})
