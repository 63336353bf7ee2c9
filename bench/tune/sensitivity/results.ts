/** What the document says about the sensitivity of the advice. */

import { limitOf, distanceTo, onAverage, surely, type Limit, type Measure } from './limits.ts'
import type { Contest } from './leads.ts'
import { outwards, type Examined } from './sensitivity.ts'

/** One assumption that was made up or drawn, and the range in which the advice stays. */
export type SensitivityResult = {
  readonly name: string
  readonly unit: string
  readonly today: number
  /** The values that were tried. */
  readonly tried: readonly number[]
  /** Where the lead over today's setting is sure, and no other setting leads on average. */
  readonly surely: AssumedRange
  readonly onAverage: AssumedRange
  /** False if a history tells it. */
  readonly isMadeUp: boolean
  /** The settings that take over at the ends of `onAverage`; null where it has no end. */
  readonly beyond: { readonly low: string | null; readonly high: string | null }
  /** How many times as much or as little the nearest end of `onAverage` is; null without an end. */
  readonly times: number | null
}

/** An end that is null is beyond all values that were tried. */
export type AssumedRange = { readonly low: number | null; readonly high: number | null }

/** Returns the results; the assumption with the least distance to an end comes first. */
export function sensitivityResults(
  examined: readonly Examined[],
  contest: Contest,
): SensitivityResult[] {
  return examined
    .map((each) => resultOf(each, contest))
    .toSorted((a, b) => (a.times ?? Infinity) - (b.times ?? Infinity))
}

function resultOf(examined: Examined, { rivals }: Contest): SensitivityResult {
  const { assumption, points } = examined
  const { name, unit, today, isMadeUp } = assumption
  const limits = (measure: Measure): Limits => ({
    low: limitOf(outwards(examined, 'low'), measure),
    high: limitOf(outwards(examined, 'high'), measure),
  })
  const average = limits(onAverage)
  const sure = limits(surely)
  const nameOf = (limit: Limit | null): string | null =>
    (limit && rivals[limit.over]?.trial.candidate.name) ?? null
  const ends = [average.low, average.high].flatMap((limit) => (limit ? [limit.at] : []))
  const distances = ends.map((end) => distanceTo(end, today, unit))
  return {
    ...{ name, unit, today },
    tried: points.map(({ value }) => value),
    surely: rangeOf(sure, unit),
    onAverage: rangeOf(average, unit),
    isMadeUp,
    beyond: { low: nameOf(average.low), high: nameOf(average.high) },
    times: distances.length === 0 ? null : Math.exp(Math.min(...distances)),
  }
}

type Limits = { readonly low: Limit | null; readonly high: Limit | null }

/** There is no half slot: the ends are the last whole numbers with which the advice stays. */
function rangeOf({ low, high }: Limits, unit: string): AssumedRange {
  const isWhole = unit === 'slots'
  const [least, most] = [low?.at ?? null, high?.at ?? null]
  return {
    low: least !== null && isWhole ? Math.ceil(least) : least,
    high: most !== null && isWhole ? Math.floor(most) : most,
  }
}
