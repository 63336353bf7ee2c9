/** The figures of a setting, and its score under each preference of a maintainer. */

import type { Prices } from '../../sim/scenario/scenario.ts'
import type { QuarantinePrice } from '../../sim/result/result-document.ts'
import type { UnprovenMerges } from '../../sim/result/unproven-merges.ts'
import { meanOf } from '../../sim/statistics/interval.ts'
import type { ComparedFigures } from '../queues/figures.ts'
import { namesIn } from '../queues/names-in.ts'

/** Less is better in all of them. Amounts are compared as ratios; counts are not, as many of them are zero. */
export const figureTable = {
  p95: { title: 'time to land, p95', unit: 'min', kind: 'amount' },
  p50: { title: 'time to land, p50', unit: 'min', kind: 'amount' },
  queueP95: { title: 'time in queue, p95', unit: 'min', kind: 'amount' },
  ciMinutes: { title: 'CI minutes per landed pull request', unit: 'min', kind: 'amount' },
  price: { title: 'price per landed pull request', unit: '', kind: 'amount' },
  runs: { title: 'test runs per landed pull request', unit: '', kind: 'amount' },
  evicted: { title: 'healthy pull requests evicted', unit: '', kind: 'count' },
  unproven: { title: 'merged without a run of exactly that tree', unit: '', kind: 'count' },
  midBatch: { title: 'of them in the middle of a batch', unit: '', kind: 'count' },
  clearedBySuccessor: { title: 'of them cleared by a successor', unit: '', kind: 'count' },
  disjointTargets: { title: 'of them beside disjoint targets', unit: '', kind: 'count' },
  direct: { title: 'of them without a run', unit: '', kind: 'count' },
  broken: { title: 'main broken', unit: 'min', kind: 'count' },
  meanSlots: { title: 'slots in use, mean', unit: '', kind: 'amount' },
  peakSlots: { title: 'slots in use, peak', unit: '', kind: 'amount' },
} as const satisfies Record<
  string,
  { readonly title: string; readonly unit: string; readonly kind: 'amount' | 'count' }
>

export type FigureName = keyof typeof figureTable

export const figureNames = namesIn(figureTable)

/** The name of a figure with its unit, for the head of a table. */
export function titleOf(name: FigureName): string {
  const { title, unit } = figureTable[name]
  return unit === '' ? title : `${title}, ${unit}`
}

/** Without the price, if none was given. */
export function askedOf<Name extends FigureName>(
  names: readonly Name[],
  { prices }: { readonly prices: Prices | null },
): readonly Name[] {
  return names.filter((name) => name !== 'price' || prices !== null)
}

/** The figures of one seed; null if nothing landed, or no price was given. */
export type TuneFigures = Readonly<Record<FigureName, number | null>> & {
  readonly landed: number
  /** The p95 of the lengths of main runs that passed; null if none did. */
  readonly runP95: number | null
  readonly peakMainRuns: number
  /** What a quarantine has spared and cost (S-351). */
  readonly leaningMerges: number
  readonly hiddenBreaks: number
}

/** What a run has besides the figures of a comparison. */
type RunFacts = Pick<TuneFigures, 'runP95' | 'peakMainRuns'> & {
  readonly unproven: UnprovenMerges
  readonly endedAtMinutes: number
  readonly quarantine?: QuarantinePrice
}

export function tuneFigures(figures: ComparedFigures, run: RunFacts): TuneFigures {
  const { unproven, endedAtMinutes, quarantine, ...more } = run
  const { batchMiddle, optimistic, disjointTargets, direct } = unproven
  return {
    p95: figures.timeToLandMinutes.p95,
    p50: figures.timeToLandMinutes.p50,
    queueP95: figures.timeInQueueMinutes.p95,
    ciMinutes: figures.minutesPerMerge,
    price: figures.pricePerLanded,
    runs: figures.runsPerMerge,
    evicted: figures.healthyEvicted,
    unproven: batchMiddle + optimistic + disjointTargets + direct,
    midBatch: batchMiddle,
    clearedBySuccessor: optimistic,
    disjointTargets,
    direct,
    broken: figures.brokenMainMinutes,
    meanSlots: endedAtMinutes === 0 ? 0 : figures.testMinutes / endedAtMinutes,
    peakSlots: figures.peakRuns,
    landed: figures.merged,
    leaningMerges: quarantine?.merges ?? 0,
    hiddenBreaks: quarantine?.breaks ?? 0,
    ...more,
  }
}

// What a maintainer may prefer, and the score of a run under each preference.

/** Price needs prices. */
export const preferences = {
  balance: 'p95 time to land and CI minutes alike: the geometric mean of both',
  time: 'p95 time to land',
  cost: 'CI minutes per landed pull request',
  price: 'price per landed pull request, of CI minutes and waiting hours',
  safety: 'fewest merges without a run of exactly that tree',
} as const satisfies Record<string, string>

export type Preference = keyof typeof preferences

export const preferenceNames = namesIn(preferences)

/** Times below a second count as one second: shorter times do not matter, and 0 has no logarithm. */
const leastMinutes = 1 / 60

/** Among runs with as many unproven merges, the balance decides. It is always below 1000. */
const tieBreak = 1 / 1000

/**
 * Returns the score of one seed; less is better, and null means that nothing landed. It is a
 * logarithm, so that relative differences count and not minutes; only `safety` is a count.
 */
export function scoreOf(run: TuneFigures, preference: Preference): number | null {
  const time = logOf(run.p95)
  const cost = logOf(run.ciMinutes)
  const balance = time === null || cost === null ? null : (time + cost) / 2
  switch (preference) {
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
export function meanScore(runs: readonly TuneFigures[], preference: Preference): number {
  const scores = runs.map((run) => scoreOf(run, preference))
  const known = scores.filter((score) => score !== null)
  if (known.length < scores.length || known.length === 0) return Infinity
  return meanOf(known)
}

/** Returns the preferences that a search serves, the preferred one first. */
export function preferencesOf(preferred: Preference, hasPrices: boolean): Preference[] {
  const all = preferenceNames.filter((preference) => hasPrices || preference !== 'price')
  return [preferred, ...all.filter((preference) => preference !== preferred)]
}
