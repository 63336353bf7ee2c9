/** Merges the shards of a campaign. The result has the same bytes as a campaign without shards. */

import { Columns } from '../result/aggregate.ts'
import type { CampaignDocument, ShardDocument } from './document.ts'
import { JudgedTotals } from './judged-totals.ts'
import { SeedSet, seedsMissing, sizeOf } from '../random/seeds.ts'

/** The reason why shards do not form one campaign. */
export type ShardMismatch = { readonly expected: string; readonly actual: string }

/** Returns why the shards do not form one complete campaign; null if they do. */
export function mismatchOf(shards: readonly ShardDocument[]): ShardMismatch | null {
  const [first] = shards
  if (!first) return { expected: 'a shard', actual: 'none' }
  const campaignOf = ({ campaign }: ShardDocument): string => JSON.stringify(campaign)
  const other = shards.find((shard) => campaignOf(shard) !== campaignOf(first))
  if (other) {
    return { expected: `a shard of the campaign ${campaignOf(first)}`, actual: campaignOf(other) }
  }
  const seeds = runsOf(shards).map(({ seed }) => seed)
  const twice = seeds.find((seed, index) => seeds[index + 1] === seed)
  if (twice !== undefined)
    return { expected: 'each seed exactly once', actual: `seed ${twice} twice` }
  const { campaign } = first
  if (seeds.length < sizeOf(campaign)) {
    const missing = seedsMissing(campaign, seeds)
    return {
      expected: `all of the seeds ${campaign.from}..${campaign.to}`,
      actual: `none of ${missing}`,
    }
  }
  return null
}

/** Merges all shards of one campaign. They must fit together: see `mismatchOf`. */
export function merged(shards: readonly ShardDocument[]): CampaignDocument {
  const runs = runsOf(shards)
  const columns = new Columns()
  const seeds = new SeedSet()
  for (const { seed, figures } of runs) {
    seeds.add(seed)
    columns.add(figures)
  }
  const marks = shards.flatMap((shard) => (shard.marks ? [shard.marks] : []))
  const reached = [...summed(marks.flat(), ({ runs: count }) => count)]
  const judged = new JudgedTotals()
  for (const { properties } of shards) for (const each of properties) judged.add(each)
  return {
    scenario: shards[0]?.scenario ?? '',
    seeds: seeds.size,
    ran: seeds.text,
    aggregate: columns.aggregates(),
    events: shards.reduce((sum, shard) => sum + shard.events, 0),
    properties: judged.counts,
    ...(marks.length > 0 ? { marks: reached.map(([name, count]) => ({ name, runs: count })) } : {}),
    failures: shards.flatMap(({ failures }) => failures).sort((a, b) => a.seed - b.seed),
  }
}

function runsOf(shards: readonly ShardDocument[]): ShardDocument['runs'][number][] {
  return shards.flatMap(({ runs }) => runs).sort((a, b) => a.seed - b.seed)
}

function summed<Item extends { readonly name: string }>(
  items: readonly Item[],
  amountOf: (item: Item) => number,
): Map<string, number> {
  const sums = new Map<string, number>()
  for (const item of items) sums.set(item.name, (sums.get(item.name) ?? 0) + amountOf(item))
  return sums
}
