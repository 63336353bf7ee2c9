/** The bounds on what any queue can reach with a scenario. */

import { configurationWith } from '../../engine/index.ts'
import { percentile } from '../../server/terminal/percentile.ts'
import { right } from '../../sim/html/components.ts'
import type { TableSection } from '../../sim/html/table-section.ts'
import { generatedCount, type Scenario, scenarioDefaults } from '../../sim/scenario/scenario.ts'
import { meanOf } from '../../sim/statistics/interval.ts'
import { blockDaysOf, resampleWeeks } from '../../sim/world/history.ts'
import { figure } from '../statistics/effects.ts'
import { type LengthLaw, lengthLawOf } from '../../sim/theory/length-law.ts'

export type ScenarioBounds = {
  readonly slots: number
  readonly flakeRate: number
  readonly breakRate: number
  /** Null where nothing can land, as all are. */
  readonly runsPerMerge: number | null
  /** Times in minutes; null also where the length of a run is only that of what it tests. */
  readonly landP50: number | null
  readonly landP95: number | null
  readonly minutesPerMerge: number | null
  /** The same if a few healthy pull requests may be evicted. */
  readonly minutesIfEvicting: { readonly share: number; readonly minutes: number } | null
}

/** The share of the healthy that may be evicted in the second bound on minutes. */
const mostEvictedShare = 0.005

/** The bounds on figures that are means over seeds: the means over the weeks that each draws of a history. */
export function meanBounds(scenario: Scenario, seeds: readonly number[]): ScenarioBounds {
  const usual = boundsOf(scenario)
  if (blockDaysOf(scenario) === null) return usual
  const all = seeds.map((seed) => boundsOf(resampleWeeks(scenario, seed)))
  const mean = (of: (bounds: ScenarioBounds) => number | null): number | null => {
    const known = all.flatMap((each) => of(each) ?? [])
    return known.length < all.length ? null : meanOf(known)
  }
  const minutes = mean(({ minutesIfEvicting }) => minutesIfEvicting?.minutes ?? null)
  return {
    ...usual,
    breakRate: mean(({ breakRate }) => breakRate) ?? usual.breakRate,
    runsPerMerge: mean(({ runsPerMerge }) => runsPerMerge),
    landP50: mean(({ landP50 }) => landP50),
    landP95: mean(({ landP95 }) => landP95),
    minutesPerMerge: mean(({ minutesPerMerge }) => minutesPerMerge),
    minutesIfEvicting: minutes === null ? null : { share: mostEvictedShare, minutes },
  }
}

export function boundsOf(scenario: Scenario): ScenarioBounds {
  const { concurrency: slots } = configurationWith(scenario.queue)
  const [flakeRate, { rate, bits }] = [flakeRateOf(scenario), breaksOf(scenario)]
  const canLand = rate < 1 && flakeRate < 1
  const runsPerMerge = canLand ? fewestRuns(bits, flakeRate) / (1 - rate) : null
  const found = { slots, flakeRate, breakRate: rate, runsPerMerge }
  const minutes = minutesOf(scenario)
  if (runsPerMerge === null || !minutes) {
    return {
      ...found,
      landP50: null,
      landP95: null,
      minutesPerMerge: null,
      minutesIfEvicting: null,
    }
  }
  // A chain of sticky failures has fewer bits; the same share of them is left.
  const fewer = bitsPerPullRequest(rate, mostEvictedShare) / (entropy(rate) || 1)
  return {
    ...found,
    landP50: minutes.landIn(0.5, slots, flakeRate),
    landP95: minutes.landIn(0.95, slots, flakeRate),
    minutesPerMerge: runsPerMerge * minutes.perRun,
    minutesIfEvicting: { share: mostEvictedShare, minutes: fewer * runsPerMerge * minutes.perRun },
  }
}

type Minutes = {
  readonly perRun: number
  readonly landIn: (share: number, slots: number, flakeRate: number) => number
}

/**
 * Where the slowest pull request decides, none lands faster than its own tests, and those that are
 * slow need as many bits each, from runs as slow as they are: so a run costs the mean at least.
 */
function minutesOf({ suite = {}, pullRequests = [] }: Scenario): Minutes | null {
  const law = lengthLawOf(suite.minutes ?? scenarioDefaults.suiteMinutes)
  const recorded = pullRequests.flatMap(({ testMinutes }) => testMinutes ?? [])
  const { minutesFailing = 1 } = suite
  if (typeof minutesFailing === 'object') return null
  // After the time of a failing run it is known whether it passes.
  const fastest = Math.min(1, minutesFailing)
  if (suite.per === 'composition') {
    const { perRun, landIn } = recorded.length > 0 ? ofRecorded(recorded) : ofOwn(law)
    return { perRun: fastest * perRun, landIn }
  }
  if (fastest < 1) return null
  if (recorded.length > 0 || (suite.per === 'pullRequest' && law.hazard !== null)) return null
  return {
    perRun: fewestMinutesPerRun(law),
    landIn: (share, slots, flakeRate) => leastTime({ law, slots, flakeRate, share }),
  }
}

function ofRecorded(recorded: readonly number[]): Minutes {
  return { perRun: meanOf(recorded), landIn: (share) => percentile(recorded, 100 * share) }
}

function ofOwn({ mean, survival, longest }: LengthLaw): Minutes {
  return {
    perRun: mean,
    landIn: (share) => {
      let [low, high] = [0, longest]
      for (let middle = high / 2; low < middle && middle < high; middle = (low + high) / 2) {
        if (survival(middle) > 1 - share) low = middle
        else high = middle
      }
      return high
    },
  }
}

/** The chance that a run of the suite fails although all in it is good. */
function flakeRateOf({ suiteFlakes = {} }: Scenario): number {
  const { perRun = 0, tests = [] } = suiteFlakes
  const passes = tests.map(({ rate, retryPassRate = 0 }) => 1 - rate * (1 - retryPassRate))
  return 1 - passes.reduce((product, each) => product * each, 1 - perRun)
}

/** The share that breaks by itself, and the bits that it takes to tell which, for each of them. */
function breaksOf(scenario: Scenario): { readonly rate: number; readonly bits: number } {
  const { pullRequests = [], traffic = {} } = scenario
  const generated = generatedCount(scenario)
  const listed = pullRequests.length
  const listedRate = pullRequests.filter(({ breaks }) => breaks).length / Math.max(1, listed)
  const { breakRate = 0 } = traffic
  const [rate, bits] =
    typeof breakRate === 'number'
      ? [breakRate, entropy(breakRate)]
      : [breakRate.rate, bitsOfSticky(breakRate)]
  const mean = (own: number, other: number): number =>
    (own * listed + other * generated) / Math.max(1, listed + generated)
  return { rate: mean(listedRate, rate), bits: mean(entropy(listedRate), bits) }
}

/** The entropy rate of a chain in which one that breaks is followed by another more often. */
function bitsOfSticky({ rate, sticky }: { rate: number; sticky: number }): number {
  if (rate >= 1) return 0
  return rate * entropy(sticky) + (1 - rate) * entropy((rate * (1 - sticky)) / (1 - rate))
}

export function boundsSection(bounds: ScenarioBounds): TableSection {
  const { slots, flakeRate, breakRate, minutesIfEvicting } = bounds
  const { landP50, landP95, runsPerMerge, minutesPerMerge } = bounds
  const rows = [
    ['time to land p50, min', textOf(landP50)],
    ['time to land p95, min', textOf(landP95)],
    ['runs per merge', textOf(runsPerMerge)],
    ['CI minutes per merge, min', textOf(minutesPerMerge)],
  ]
  if (minutesIfEvicting) {
    const { share, minutes } = minutesIfEvicting
    const what = `CI minutes per merge with ${percent(share)} of the healthy evicted, min`
    rows.push([what, figure(minutes)])
  }
  return {
    id: 'bounds',
    title: 'What no queue can beat',
    about: `No queue with ${slots} slots can beat these, if it learns only from the results of runs, ${percent(breakRate)} of the pull requests break by themselves, and ${percent(flakeRate)} of the runs flake.`,
    table: { head: ['figure', right('at least')], rows },
  }
}

const textOf = (value: number | null): string => (value === null ? 'not known' : figure(value))

const percent = (share: number): string => `${figure(100 * share)} %`

// Bounds that no merge queue can beat, whatever it does: on the time to land, and on the runs and
// minutes of CI. They hold for runs that flake with a known chance, for pull requests that break
// independently of each other, and for a queue that knows no more than the results of runs.

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
function fewestRuns(bits: number, flakeRate: number): number {
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

type TimeQuestion = {
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
