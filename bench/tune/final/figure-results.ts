/** The figures of a setting over its seeds, as the document holds them. */

import { intervalOf } from '../../statistics/interval.ts'
import type { EffectResult, FigureResult } from '../document.ts'
import type { FigureName, TuneFigures } from '../figures.ts'
import type { Trial } from '../search/run-settings.ts'
import { effectOf, fewestSeeds, pairsOf, type Pairs } from './effects.ts'
import { holmConfidences } from './holm.ts'

/** Returns a value for each figure. */
export function byFigure<Value>(make: (name: FigureName) => Value): Record<FigureName, Value> {
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

/** Leaves out seeds without a value. Returns null if there is none with one. */
function figureOf(all: readonly (number | null)[]): FigureResult | null {
  const values = all.filter((value) => value !== null)
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0
  const [low, high] = [at(0), at(1)]
  const range = { low: at(0.1), high: at(0.9) }
  if (low === high && values.length > 1) return { kind: 'always', mean: low, low, high, range }
  const interval = intervalOf(values)
  return values.length < fewestSeeds
    ? { kind: 'seen', mean: interval.mean, low, high, range }
    : { kind: 'interval', ...interval, range }
}

/** The figures whose effects are corrected together over all finalists. */
const corrected: readonly FigureName[] = ['p95', 'ciMinutes']

/** Returns the effects of finalists against today's; those on time and cost hold together. */
export function finalistEffects(
  finalists: readonly Trial[],
  today: Trial,
  leastPercent: number,
): Map<Trial, Record<FigureName, EffectResult | null>> {
  const family = finalists.flatMap((trial) => corrected.map((name) => ({ trial, name })))
  const pairs = family.map(({ trial, name }) => pairsFor(trial, today, name, leastPercent))
  const levels = holmConfidences(pairs.map((each) => each?.values ?? [0]))
  const levelOf = (trial: Trial, name: FigureName): number =>
    levels[family.findIndex((each) => each.trial === trial && each.name === name)] ?? usual
  return new Map(
    finalists.map((trial) => [trial, effectsOf(trial, today, leastPercent, levelOf)] as const),
  )
}

const usual = 0.95

export function effectsOf(
  trial: Trial,
  today: Trial,
  leastPercent: number,
  levelOf: (trial: Trial, name: FigureName) => number = () => usual,
): Record<FigureName, EffectResult | null> {
  return byFigure((name) => {
    const pairs = pairsFor(trial, today, name, leastPercent)
    return pairs && effectOf(pairs, levelOf(trial, name))
  })
}

function pairsFor(
  trial: Trial,
  today: Trial,
  name: FigureName,
  leastPercent: number,
): Pairs | null {
  return trial.isTooSlow ? null : pairsOf(name, [trial.runs, today.runs], leastPercent)
}

