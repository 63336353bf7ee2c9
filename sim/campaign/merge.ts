/** Merges the shards of a campaign. The result has the same bytes as a campaign without shards. */

import { Columns } from '../result/aggregate.ts'
import type { CampaignDocument, ShardDocument } from './document.ts'
import { JudgedTotals } from './judged-totals.ts'
import { partOf, SeedSet, seedsMissing, sizeOf } from '../random/seeds.ts'
import { BadInput } from '../scenario/bad-input.ts'
import { commandOfPart, refuseUnfit } from './parts/part.ts'

/** A shard, and the file that it came from. */
export type NamedShard = { readonly file: string; readonly shard: ShardDocument }

/** Throws `BadInput` unless these shards of a scenario form one complete campaign. */
export function refuseIncomplete(shards: readonly NamedShard[]): void {
  refuseUnfit(shards.map(({ file, shard: { part } }) => ({ file, part })))
  for (const { file, shard } of shards) {
    const { part, campaign } = shard
    const range = partOf(campaign, part)
    const seeds = runsOf([shard]).map(({ seed }) => seed)
    const missing = seedsMissing(range, seeds)
    if (missing === '' && seeds.length === sizeOf(range)) continue
    // A shard that was interrupted has fewer seeds than its part.
    const expected = `the seeds ${range.from}..${range.to}`
    const actual = `none of ${missing}: run ${commandOfPart(part)} to its end`
    throw new BadInput(file, [{ where: '/runs', expected, actual }])
  }
}

/** Merges all shards of one campaign. They must fit together: see `refuseIncomplete`. */
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
