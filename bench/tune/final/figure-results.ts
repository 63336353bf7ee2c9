/** The figures of a setting over its seeds, as the document holds them. */

import { quantileOf } from '../../../sim/statistics/bootstrap-t.ts'
import { fewestForInterval, intervalOf } from '../../../sim/statistics/interval.ts'
import { judgedTogether } from '../../statistics/least-effect.ts'
import type { FigureName, TuneFigures } from '../figures/figures.ts'
import type { Trial } from '../search/run-settings.ts'
import { effectResult, pairsOf } from './effects.ts'
import type { EffectResult, FigureResult } from './results.ts'

/** Returns a value for each figure. */
function byFigure<Value>(make: (name: FigureName) => Value): Record<FigureName, Value> {
  return {
    p95: make('p95'),
    p50: make('p50'),
    queueP95: make('queueP95'),
    ciMinutes: make('ciMinutes'),
    price: make('price'),
    runs: make('runs'),
    evicted: make('evicted'),
    unproven: make('unproven'),
    midBatch: make('midBatch'),
    clearedBySuccessor: make('clearedBySuccessor'),
    disjointTargets: make('disjointTargets'),
    direct: make('direct'),
    broken: make('broken'),
    meanSlots: make('meanSlots'),
    peakSlots: make('peakSlots'),
  }
}

export function figuresOf(runs: readonly TuneFigures[]): Record<FigureName, FigureResult | null> {
  return byFigure((name) => figureOf(runs.map((run) => run[name])))
}

/** The figures that tell settings apart that were left in the search. */
const few = ['p95', 'ciMinutes', 'price', 'evicted', 'unproven', 'broken'] as const

/** Returns the means of a few figures, if there are any. */
export function fewFiguresOf(
  runs: readonly TuneFigures[],
): Partial<Record<FigureName, FigureResult>> {
  const found = few.flatMap((name) => {
    const result = figureOf(runs.map((run) => run[name]))
    return result ? [[name, { mean: result.mean, range: null }] as const] : []
  })
  return Object.fromEntries(found)
}

/** Leaves out seeds without a value. Returns null if there is none with one. */
function figureOf(all: readonly (number | null)[]): FigureResult | null {
  const values = all.filter((value) => value !== null)
  return values.length === 0 ? null : { mean: intervalOf(values), range: rangeOfSeeds(values) }
}

/** The figures whose effects are corrected together over all finalists. */
const goals = ['p95', 'ciMinutes'] as const satisfies readonly FigureName[]

type Effects = Record<FigureName, EffectResult | null>

/**
 * Returns the effects of settings against today's. Those of all on time and cost hold together; the
 * others are told besides, each for itself.
 */
export function effectsOf(trials: readonly Trial[], today: Trial, least: number): Effects[] {
  const family = trials.flatMap(({ runs }) => goals.map((name) => pairsOf(name, runs, today.runs)))
  const together = judgedTogether(family, least)
  return trials.map(({ runs }, index) =>
    byFigure((name) => {
      const goal = goals.findIndex((each) => each === name)
      const [alone] = judgedTogether([pairsOf(name, runs, today.runs)], least)
      const found = goal === -1 ? alone : together[index * goals.length + goal]
      return found ? effectResult(found) : null
    }),
  )
}

// How much single seeds differ: what the interval of a mean does not say.

/**
 * Returns the range in which about 80 % of single seeds fall: from the 10 % to the 90 % quantile at
 * rank p (n + 1), of which a new seed is in between with 80 %. Returns null for fewer than 10 seeds.
 */
export function rangeOfSeeds(
  values: readonly number[],
): { readonly low: number; readonly high: number } | null {
  if (values.length < fewestForInterval) return null
  const sorted = Float64Array.from(values).sort()
  return { low: quantileOf(sorted, 0.1), high: quantileOf(sorted, 0.9) }
}
