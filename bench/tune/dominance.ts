/** Compares settings: significantly worse ones are dropped; means decide the Pareto front. */

import { differenceOf, jointConfidence, readingOf } from '../statistics/difference.ts'
import { meanOf as meanOfAll } from '../statistics/mean.ts'
import { goals, type FigureName, type TuneFigures } from './figures.ts'

type Runs = { readonly runs: readonly TuneFigures[] }

/** Returns one figure of all runs, in the order of the seeds. */
export function columnOf({ runs }: Runs, name: FigureName): (number | null)[] {
  return runs.map((run) => run[name])
}

/** The mean over the seeds with a value; Infinity if there is none, because nothing merged. */
function meanOf(runner: Runs, name: FigureName): number {
  const values = columnOf(runner, name).filter((value) => value !== null)
  return values.length === 0 ? Infinity : meanOfAll(values)
}

/**
 * Returns a setting that beats this one: significantly better in two of the three goals, and on
 * average no worse in the third. The intervals of all such comparisons hold together with 95 %.
 * Returns null if there is none.
 */
export function beatenBy<Runner extends Runs>(
  runner: Runner,
  all: readonly Runner[],
): Runner | null {
  const confidence = jointConfidence(goals.length * all.length * (all.length - 1))
  const isSignificantlyBetter = (other: Runner, goal: FigureName): boolean => {
    const difference = differenceOf(columnOf(other, goal), columnOf(runner, goal), confidence)
    return difference !== null && readingOf(difference) === 'less'
  }
  const beats = (other: Runner): boolean =>
    other !== runner &&
    goals.every((goal) => meanOf(other, goal) <= meanOf(runner, goal)) &&
    goals.filter((goal) => isSignificantlyBetter(other, goal)).length >= 2
  return all.find(beats) ?? null
}

/**
 * Returns the Pareto front by the means: the settings that no other setting dominates in the goals.
 */
export function paretoFront<Runner extends Runs>(all: readonly Runner[]): Runner[] {
  const points = all.map((runner) => ({ runner, at: goals.map((goal) => meanOf(runner, goal)) }))
  type Point = (typeof points)[number]
  const dominates = (a: Point, b: Point): boolean =>
    a.at.every((value, index) => value <= (b.at[index] ?? Infinity)) &&
    a.at.some((value, index) => value < (b.at[index] ?? Infinity))
  return points
    .filter((point) => !points.some((other) => dominates(other, point)))
    .map(({ runner }) => runner)
}
