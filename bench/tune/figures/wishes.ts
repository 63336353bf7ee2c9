/** What a maintainer may wish for, and the score of a run under each wish. */

import type { TuneFigures } from './figures.ts'

/** Price needs prices. */
export type Preference = 'balance' | 'time' | 'cost' | 'price' | 'safety'

export const preferences = {
  balance: 'p95 time to land and CI minutes alike: the geometric mean of both',
  time: 'p95 time to land',
  cost: 'CI minutes per landed pull request',
  price: 'price per landed pull request, of CI minutes and waiting hours',
  safety: 'fewest merges without a run of exactly that tree',
} as const satisfies Record<Preference, string>

export const preferenceNames: readonly Preference[] = ['balance', 'time', 'cost', 'price', 'safety']

/** Times below a second count as one second: shorter times do not matter, and 0 has no logarithm. */
const leastMinutes = 1 / 60

/** Among runs with as many unproven merges, the balance decides. It is always below 1000. */
const tieBreak = 1 / 1000

/**
 * Returns the score of one seed; less is better, and null means that nothing landed. It is a
 * logarithm, so that relative differences count and not minutes; only `safety` is a count.
 */
export function scoreOf(run: TuneFigures, wish: Preference): number | null {
  const time = logOf(run.p95)
  const cost = logOf(run.ciMinutes)
  const balance = time === null || cost === null ? null : (time + cost) / 2
  switch (wish) {
    case 'time':
      return time
    case 'cost':
      return cost
    case 'balance':
      return balance
    case 'price':
      return logOf(run.price)
    case 'safety':
      return balance === null ? null : (run.unproven ?? 0) + balance * tieBreak
  }
}

function logOf(value: number | null): number | null {
  return value === null ? null : Math.log(Math.max(value, leastMinutes))
}

/** Returns the mean score of a setting. A seed in which nothing lands makes it the worst. */
export function meanScore(runs: readonly TuneFigures[], wish: Preference): number {
  const scores = runs.map((run) => scoreOf(run, wish))
  const known = scores.filter((score) => score !== null)
  if (known.length < scores.length || known.length === 0) return Infinity
  return known.reduce((sum, score) => sum + score, 0) / known.length
}

/** Returns the wishes that a search serves, the preferred one first. */
export function wishesOf(preferred: Preference, hasPrices: boolean): Preference[] {
  const all = preferenceNames.filter((wish) => hasPrices || wish !== 'price')
  return [preferred, ...all.filter((wish) => wish !== preferred)]
}
