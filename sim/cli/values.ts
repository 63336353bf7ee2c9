/** Options and values of options that several commands share. */

import { type SeedRange, firstSeedOf, seedsIn, sizeOf } from '../random/seeds.ts'
import type { Spreading } from '../campaign/over-cores.ts'
import type { BadInput } from '../../server/terminal/bad-input.ts'
import type { CliContext } from '../../server/terminal/command.ts'
import { badUsage } from '../../server/terminal/options.ts'
import { wholeNumber } from '../../server/terminal/readers.ts'
import type { OptionTable, ParsedOptions } from '../../server/terminal/options.ts'
import type { FaultOf } from '../../server/terminal/readers.ts'

const largestPrice = 1_000_000

/** Parses a price: `0.1`, `3`, `12.50`. */
export function amountOf(text: string, faultOf: FaultOf): number {
  const price = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN
  if (price <= largestPrice) return price
  throw faultOf(`a number from 0 to ${largestPrice}, for example 0.1`)
}

const mostMinutes = 52_560_000

/**
 * Parses the time after which an evicted pull request comes again, in minutes. Null: it does not,
 * for `0` and `never`.
 */
export function resubmitAfter(text: string, faultOf: FaultOf): number | null {
  if (text === 'never' || text === '0') return null
  const minutes = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN
  if (minutes >= 1 && minutes <= mostMinutes) return minutes
  throw faultOf('minutes, at least 1; or never')
}

/** Parses a range of seeds: `200` means 1 to 200, and `50..99` includes both ends. */
export function seedRange(text: string, faultOf: FaultOf): SeedRange {
  const fault: FaultOf = () => faultOf('n, or a..b with a <= b, in whole numbers from 0')
  const [first = '', last, ...more] = text.split('..')
  const from = last === undefined ? 1 : wholeNumber(first, fault)
  const to = wholeNumber(last ?? first, fault)
  if (more.length > 0 || to < from) throw fault('')
  return { from, to }
}

/** The seeds of such a range. */
export const seedList = (text: string, faultOf: FaultOf): number[] => [
  ...seedsIn(seedRange(text, faultOf)),
]

// The options `--ci-price` and `--wait-price`, which several commands share (S-244).

export const priceTable = {
  'ci-price <amount>':
    'price of a minute of CI, in any currency; shows what a landed pull request costs',
  'wait-price <amount>': 'price of an hour that a pull request waits until it lands',
} as const satisfies OptionTable

type PriceOptions = Pick<ParsedOptions<typeof priceTable>, 'readGiven'>

/** Returns the given prices as settings of the scenario, like those of `--set`. */
export function priceSettings(parsed: PriceOptions): string[] {
  const setting = (option: 'ci-price' | 'wait-price', field: string): string[] => {
    const price = parsed.readGiven(option, amountOf)
    return price === null ? [] : [`prices.${field}=${price}`]
  }
  return [...setting('ci-price', 'ciMinute'), ...setting('wait-price', 'waitingHour')]
}

// Parses the options that select seeds.

/** One seed, or a campaign with a range of seeds. */
export type Seeds = { readonly kind: 'one'; readonly seed: number } | CampaignSeeds

export type CampaignSeeds = SeedRange & {
  readonly kind: 'range'
  /** The time budget in milliseconds; null: run all seeds of the range. */
  readonly forMs: number | null
  /** The text from which the first seed is derived, or null. */
  readonly fromText: string | null
}

/** The text of an option that selects seeds. */
export type SeedOptions = {
  readonly text: (name: 'seed' | 'seeds' | 'seeds-from' | 'for') => string | null
}

/** Returns the error for an invalid command line of the command. */
type UsageFault = typeof usageFault

/**
 * Returns the selected seeds, or null. Throws what `fault` returns for invalid or contradicting
 * options.
 */
export function seedsOf({ text }: SeedOptions, fault: UsageFault = usageFault): Seeds | null {
  const [seed, seeds, time, fromText] = [
    text('seed'),
    text('seeds'),
    text('for'),
    text('seeds-from'),
  ]
  if (seed !== null) {
    const other = (['seeds', 'seeds-from', 'for'] as const).find((name) => text(name) !== null)
    if (other) throw fault(`--seed and --${other} together`, 'only one of them')
    const number = wholeNumber(seed, (expected) => fault(`--seed ${seed}`, expected))
    return { kind: 'one', seed: number }
  }
  const forMs = time === null ? null : durationMs(time, fault)
  if (seeds === null && forMs === null) {
    if (fromText !== null) throw fault('only --seeds-from', 'also --seeds n or --for')
    return null
  }
  const start = fromText === null ? 1 : firstSeedOf(fromText)
  const range =
    seeds === null ? endless(start) : rangeOf(seeds, { start, hasStart: fromText !== null }, fault)
  if (forMs === null && range.to === Number.MAX_SAFE_INTEGER) {
    throw fault(`--seeds ${seeds}`, 'an end of the range, or --for')
  }
  return { kind: 'range', ...range, forMs, fromText }
}

/** The seeds from this one on, without an end. */
export const endless = (from: number): SeedRange => ({ from, to: Number.MAX_SAFE_INTEGER })

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

// Errors in the command line of `mergeyard sim`.

/** Returns the error for an invalid command line. */
export function usageFault(actual: string, expected: string): BadInput {
  return badUsage('sim', actual, expected)
}

/** The option that says where a campaign runs. */
export const overTable = {
  'over <postgres://...>': {
    help: 'spread it over the workers of this database: mergeyard worker',
    isSecret: true,
  },
} as const satisfies OptionTable

/** Runs a command where `--over` says: on the cores of this machine, or on the workers of a database. */
export type SpreadOver = (
  parsed: { readonly text: (name: 'over') => string | null },
  command: string,
  context: CliContext,
  run: (spreading: Spreading) => Promise<number>,
) => Promise<number>
