/** Parses the options that select seeds. */

import { firstSeedOf, sizeOf, type SeedRange } from '../../../../sim/random/seeds.ts'
import { wholeNumber } from '../../../../terminal/options.ts'
import { seedRange } from '../../../../sim/terminal/read-values.ts'
import { usageFault } from './usage-fault.ts'

/** One seed, or a campaign with a range of seeds. */
export type Seeds = { readonly kind: 'one'; readonly seed: number } | CampaignSeeds

export type CampaignSeeds = SeedRange & {
  readonly kind: 'range'
  /** The time budget in milliseconds; null: run all seeds of the range. */
  readonly forMs: number | null
  /** The text from which the first seed is derived, or null. */
  readonly fromText: string | null
}

type SeedOptionTexts = Readonly<Record<'seed' | 'seeds' | 'seeds-from' | 'for', string | null>>

/** Returns the error for an invalid command line of the command. */
export type UsageFault = typeof usageFault

/**
 * Returns the selected seeds, or null. Throws what `fault` returns for invalid or contradicting
 * options.
 */
export function seedsOf(texts: SeedOptionTexts, fault: UsageFault = usageFault): Seeds | null {
  const { seed, seeds } = texts
  if (seed !== null) return oneSeed(seed, texts, fault)
  const forMs = texts.for === null ? null : durationMs(texts.for, fault)
  const fromText = texts['seeds-from']
  if (seeds === null && forMs === null) {
    if (fromText !== null) throw fault('only --seeds-from', 'also --seeds n or --for')
    return null
  }
  const start = fromText === null ? 1 : firstSeed(fromText, fault)
  const range =
    seeds === null ? endless(start) : rangeOf(seeds, { start, hasStart: fromText !== null }, fault)
  if (forMs === null && range.to === Number.MAX_SAFE_INTEGER) {
    throw fault(`--seeds ${seeds}`, 'an end of the range, or --for')
  }
  return { kind: 'range', ...range, forMs, fromText }
}

function oneSeed(seed: string, texts: SeedOptionTexts, fault: UsageFault): Seeds {
  for (const name of ['seeds', 'seeds-from', 'for'] as const) {
    if (texts[name] !== null) throw fault(`--seed and --${name} together`, 'only one of them')
  }
  return { kind: 'one', seed: wholeNumber(seed, (expected) => fault(`--seed ${seed}`, expected)) }
}

const endless = (from: number): SeedRange => ({ from, to: Number.MAX_SAFE_INTEGER })

function firstSeed(text: string, fault: UsageFault): number {
  if (text === '') throw fault('--seeds-from ""', 'a text, for example a commit hash')
  return firstSeedOf(text)
}

/** Parses `n` (n seeds from the start), `a..b` (both included) or `a..` (without an end). */
function rangeOf(text: string, { start, hasStart }: FirstSeed, fault: UsageFault): SeedRange {
  if (hasStart && text.includes('..')) {
    throw fault(`--seeds ${text} with --seeds-from`, '--seeds n')
  }
  const [, from] = /^(\d+)\.\.$/.exec(text) ?? []
  if (from !== undefined)
    return endless(wholeNumber(from, (expected) => fault(`--seeds ${text}`, expected)))
  const range = seedRange(text, (expected) => fault(`--seeds ${text}`, expected))
  return hasStart ? { from: start, to: start + sizeOf(range) - 1 } : range
}

type FirstSeed = { readonly start: number; readonly hasStart: boolean }

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, min: 60_000, h: 3_600_000 }

function durationMs(text: string, fault: UsageFault): number {
  const [, amount = '', unit = 's'] = /^(\d{1,6}(?:\.\d+)?)(s|m|min|h)?$/.exec(text) ?? []
  const ms = Math.round(Number(amount) * (unitMs[unit] ?? 0))
  if (ms === 0) throw fault(`--for ${text}`, 'a time, for example 60s, 5min or 2h')
  return ms
}
