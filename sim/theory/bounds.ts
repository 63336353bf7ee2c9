/**
 * Bounds that no merge queue can beat, whatever it does: on the time to land, and on the runs and
 * minutes of CI. They hold for runs that flake with a known chance, for pull requests that break
 * independently of each other, and for a queue that knows no more than the results of runs.
 */

import type { LengthLaw } from './length-law.ts'

/** The entropy of an event of this chance, in bits. */
export function entropy(chance: number): number {
  if (chance <= 0 || chance >= 1) return 0
  return -chance * Math.log2(chance) - (1 - chance) * Math.log2(1 - chance)
}

/**
 * The most bits that the result of a run can tell: the capacity of a channel in which what is good
 * fails with the chance of a flake, and what is bad always fails.
 */
export function bitsPerRun(flakeRate: number): number {
  if (flakeRate >= 1) return 0
  const noise = flakeRate === 0 ? 1 : flakeRate ** (flakeRate / (1 - flakeRate))
  return Math.log2(1 + (1 - flakeRate) * noise)
}

/**
 * The bits that a queue has to learn of each pull request, if this share breaks and it may evict
 * this share of the healthy.
 */
export function bitsPerPullRequest(breakRate: number, evictedShare = 0): number {
  const failing = breakRate + (1 - breakRate) * evictedShare
  return entropy(failing) - (1 - breakRate) * entropy(evictedShare)
}

/** The fewest runs for each pull request. */
export function fewestRuns(bits: number, flakeRate: number): number {
  return bits / bitsPerRun(flakeRate)
}

const steps = 20_000

/**
 * The fewest minutes that a run costs which tells its result. A queue may cancel a run that takes
 * long and start another: of runs cut off at t, E[min(L, t)] minutes give F(t) results.
 */
export function fewestMinutesPerRun(law: LengthLaw): number {
  const width = law.longest / steps
  let least = law.mean
  let spent = 0
  for (let step = 0; step < steps; step++) {
    spent += law.survival((step + 1 / 2) * width) * width
    const done = 1 - law.survival((step + 1) * width)
    if (done > 0) least = Math.min(least, spent / done)
  }
  return least
}

export type TimeQuestion = {
  readonly law: LengthLaw
  readonly slots: number
  readonly flakeRate: number
  /** The share of pull requests that land within the time: 0.5 or 0.95. */
  readonly share: number
}

/**
 * The least time within which this share can land. If all slots test one pull request, the rate of
 * the first result that passes is at most slots times the greatest hazard so far. The time is that
 * at which this rate adds up to -ln(1 - share). Runs of one length all end then.
 */
export function leastTime({ law, slots, flakeRate, share }: TimeQuestion): number {
  const { hazard, longest } = law
  if (hazard === null) return longest
  const needed = -Math.log(1 - share) / (slots * (1 - flakeRate))
  const width = longest / steps
  let [greatest, sum] = [0, 0]
  for (let step = 0; ; step++) {
    greatest = Math.max(greatest, hazard((step + 1 / 2) * width))
    const added = greatest * width
    if (sum + added >= needed) return step * width + (needed - sum) / greatest
    sum += added
  }
}
