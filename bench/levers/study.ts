/** Runs a queue under every combination of levers on the same seeds, and compares them in pairs. */

import { overCores } from '../../sim/campaign/over-cores.ts'
import { intervalOf, type Interval } from '../../sim/statistics/interval.ts'
import type { LeverEffect, LeverFigure, LeverRow, LeverStudy } from '../measuring/lever-study.ts'
import { effectOf, pairedCounts, pairedRatios } from '../statistics/ratio.ts'
import { ratioFigures, type TuneFigures } from '../tune/figures/figures.ts'
import type { TuneAnswer, TuneTask } from '../tune/search/tune-worker.ts'
import type { Tried } from './archetypes.ts'
import type { Lever } from './levers.ts'

/** The figures of one combination, in the order of the seeds. */
export type LeverRuns = { readonly lever: string; readonly runs: readonly TuneFigures[] }

/** No setting was chosen on these seeds. */
const firstSeed = 5001

/** Runs every combination on the same seeds, on all cores. Throws if a property is violated. */
export async function runsOf(
  { archetype, setting, scenario }: Tried,
  combinations: readonly Lever[],
  { seeds, signal }: { readonly seeds: number; readonly signal: AbortSignal },
): Promise<LeverRuns[]> {
  const found = combinations.map(({ name }) => ({ lever: name, runs: new Array<TuneFigures>() }))
  let answers = 0
  await overCores<TuneTask, TuneAnswer>({
    worker: { url: new URL('../tune/search/tune-worker.js', import.meta.url), name: 'tuneWorker' },
    tasks: tasksOf(scenario, combinations, seeds),
    onAnswer: ({ figures, broken }) => {
      const of = found[answers % found.length]
      answers++
      if (broken !== null) {
        throw new Error(`${archetype}, ${setting}, ${of?.lever}: ${broken} is violated`)
      }
      if (figures) of?.runs.push(figures)
    },
    signal,
  })
  return found
}

function* tasksOf(
  scenario: Tried['scenario'],
  combinations: readonly Lever[],
  seeds: number,
): Generator<TuneTask, void> {
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    for (const { set } of combinations) {
      const changed = { ...scenario, queue: { ...scenario.queue, ...set } }
      yield { scenario: changed, seed, other: null, change: null, mostEvents: null }
    }
  }
}

/** Compares every combination with the first, which has no lever. */
export function studyOf(
  { archetype, setting }: Pick<Tried, 'archetype' | 'setting'>,
  all: readonly LeverRuns[],
): LeverStudy {
  const [without] = all
  return {
    archetype,
    setting,
    seeds: without?.runs.length ?? 0,
    rows: all.map((each): LeverRow => ({
      lever: each.lever,
      means: forEachFigure((name) => meanOf(each.runs, name)),
      effects:
        without === undefined || each === without
          ? null
          : forEachFigure((name) => effectOn(name, each.runs, without.runs)),
    })),
  }
}

function meanOf(runs: readonly TuneFigures[], name: LeverFigure): Interval | null {
  const values = runs.map((run) => run[name]).filter((value) => value !== null)
  return values.length === 0 ? null : intervalOf(values)
}

/** Times and costs as ratios, counts as differences: zero is a usual count. */
function effectOn(
  name: LeverFigure,
  after: readonly TuneFigures[],
  before: readonly TuneFigures[],
): LeverEffect | null {
  const pair = ratioFigures.has(name) ? pairedRatios : pairedCounts
  return effectOf(
    pair(
      after.map((run) => run[name]),
      before.map((run) => run[name]),
    ),
  )
}

function forEachFigure<Value>(of: (name: LeverFigure) => Value): Record<LeverFigure, Value> {
  return {
    p95: of('p95'),
    p50: of('p50'),
    ciMinutes: of('ciMinutes'),
    evicted: of('evicted'),
    unproven: of('unproven'),
  }
}
