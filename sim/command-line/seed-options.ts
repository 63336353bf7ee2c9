/** Which seeds are to be run, out of the options that speak of seeds. */

import { firstSeedOf, sizeOf, type SeedRange, type Shard } from '../campaign/seeds.ts'
import { seedRangeOf } from './parse-options.ts'
import { usageFault, wholeNumber } from './usage.ts'

/** One seed by itself, or a campaign of many. */
export type Seeds = { readonly kind: 'one'; readonly seed: number } | CampaignSeeds

export type CampaignSeeds = SeedRange & {
  readonly kind: 'range'
  /** As many of them as fit into this time; null: all of them. */
  readonly forMs: number | null
  /** Only this part of them. */
  readonly shard: Shard | null
  /** What the first seed was made from, where it was. */
  readonly fromText: string | null
}

type Texts = Readonly<Record<'seed' | 'seeds' | 'seeds-from' | 'for' | 'shard', string | null>>

/** Throws `BadInput` where the options contradict each other or say nothing that can be run. */
export function seedsOf(texts: Texts): Seeds | null {
  const { seed, seeds } = texts
  if (seed !== null) return oneSeed(seed, texts)
  const forMs = texts.for === null ? null : durationMs(texts.for)
  const fromText = texts['seeds-from']
  if (seeds === null && forMs === null) {
    if (fromText !== null) throw usageFault('--seeds-from alone', 'how many: --seeds n, or --for')
    if (texts.shard !== null) throw usageFault('--shard alone', 'of which seeds: --seeds')
    return null
  }
  if (forMs !== null && texts.shard !== null) {
    throw usageFault('--for with --shard', 'one of them: what time allows has no equal parts')
  }
  const start = fromText === null ? 1 : firstSeed(fromText)
  const range =
    seeds === null ? endless(start) : rangeOf(seeds, { start, hasStart: fromText !== null })
  const shard = texts.shard === null ? null : shardOf(texts.shard)
  if (forMs === null && range.to === Number.MAX_SAFE_INTEGER) {
    throw usageFault(`--seeds ${seeds}`, 'an end, or --for')
  }
  return { kind: 'range', ...range, forMs, shard, fromText }
}

function oneSeed(seed: string, texts: Texts): Seeds {
  for (const name of ['seeds', 'seeds-from', 'for', 'shard'] as const) {
    if (texts[name] !== null) throw usageFault(`--seed and --${name} together`, 'one of them')
  }
  return { kind: 'one', seed: wholeNumber('--seed', seed) }
}

const endless = (from: number): SeedRange => ({ from, to: Number.MAX_SAFE_INTEGER })

function firstSeed(text: string): number {
  if (text === '') throw usageFault('--seeds-from ""', 'a text, say the hash of a commit')
  return firstSeedOf(text)
}

/** `n`, counted from the start; `a..b`, both included; or `a..`, without an end. */
function rangeOf(text: string, { start, hasStart }: Start): SeedRange {
  if (hasStart && text.includes('..')) {
    throw usageFault(`--seeds ${text} with --seeds-from`, 'how many: --seeds n')
  }
  const [, from] = /^(\d+)\.\.$/.exec(text) ?? []
  if (from !== undefined) return endless(wholeNumber('--seeds', from))
  const range = seedRangeOf('sim', text)
  return hasStart ? { from: start, to: start + sizeOf(range) - 1 } : range
}

type Start = { readonly start: number; readonly hasStart: boolean }

function shardOf(text: string): Shard {
  const [, index = 0, of = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number)
  if (index < 1 || index > of) throw usageFault(`--shard ${text}`, 'i/n with 1 <= i <= n')
  return { index, of }
}

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, min: 60_000, h: 3_600_000 }

function durationMs(text: string): number {
  const [, amount = '', unit = 's'] = /^(\d{1,6}(?:\.\d+)?)(s|m|min|h)?$/.exec(text) ?? []
  const ms = Math.round(Number(amount) * (unitMs[unit] ?? 0))
  if (ms === 0) throw usageFault(`--for ${text}`, 'a time like 60s, 5min or 2h')
  return ms
}
