import { describe, expect, test } from 'vitest'
import type { ShardDocument } from './document.ts'
import { merged, refuseIncomplete, type NamedShard } from './merge.ts'
import { build } from './parts/build.ts'

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
    part: { index: 1, of: 1, campaign: ['sim'], input: '', build: build() },
    campaign: { from: 1, to },
    runs: seeds.map((seed) => ({ seed, traceHash: `${seed}`, figures: { minutes: seed } })),
  }
}

/** The same as parts in files: `1.json` and so on. */
function filesOf(parts: readonly ShardDocument[]): NamedShard[] {
  return parts.map((shard, index) => {
    const part = { ...shard.part, index: index + 1, of: parts.length }
    return { file: `${index + 1}.json`, shard: { ...shard, part } }
  })
}

describe('shards fit together', () => {
  test('if each is there once with all seeds of its part, in any order', () => {
    const files = filesOf([shardOf([1, 2, 3]), shardOf([4, 5, 6])])
    expect(() => refuseIncomplete(files.toReversed())).not.toThrow()
  })

  test('not if one was interrupted', () => {
    expect(() => refuseIncomplete(filesOf([shardOf([1, 2, 3]), shardOf([5])]))).toThrow(
      '2.json: /runs: expected the seeds 4..6, got none of 4, 6: run "mergeyard sim --shard 2/2" to its end',
    )
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
