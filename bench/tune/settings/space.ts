/** What a tune run searches: the axes, and how settings are made on them. */

import type { Scenario } from '../../../sim/scenario/scenario.ts'
import type { Values } from '../../queues/parameters.ts'
import type { OtherQueue } from '../../queues/queue.ts'
import type { TuneAxis } from './axes.ts'
import { Candidates, type Candidate, type CandidateSource } from './candidates.ts'
import { bisectionLadder, fineLaddersOf, laddersOf } from './ladders.ts'
import { OtherCandidates, otherLadders } from './other-candidates.ts'

export type SpaceRequest = {
  readonly scenario: Scenario
  /** Another product's queue and its setting today; null for Mergeyard's. */
  readonly other: OtherToday | null
  /** The axes to search; null for all that a maintainer can set. */
  readonly axes: readonly TuneAxis[] | null
  /** The paths of fields that the command gave a single value: they are not searched. */
  readonly fixed: ReadonlySet<string>
}

type OtherToday = {
  readonly queue: OtherQueue
  readonly values: Values
  /** The parts of the scenario that no strategy gets. */
  readonly leftOut: readonly string[]
}

export type Space = {
  readonly searchAxes: readonly TuneAxis[]
  /** All axes, with the finer values that only the last rungs try. */
  readonly axes: readonly TuneAxis[]
  /** The same axes without the finer values. */
  readonly coarse: readonly TuneAxis[]
  readonly made: CandidateSource
  /** Settings near a survivor that join in the last rungs; null for none. */
  readonly moves: ((candidate: Candidate) => Candidate[]) | null
  readonly moreRungs: number
}

/** The finer steps of a long search are halved as often. */
const fineRungs = 3

/** Returns what the command asks to search; with finer steps if the budget allows them. */
export function spaceOf(request: SpaceRequest, hasFineSteps: boolean): Space {
  const { scenario, other, axes: named, fixed } = request
  const isFree = ({ values }: TuneAxis): boolean =>
    values.every(({ assignments }) => Object.keys(assignments).every((path) => !fixed.has(path)))
  if (other) {
    const ladders = named ?? otherLadders(other.queue, scenario, other.values)
    const axes = ladders.filter(isFree)
    const made = new OtherCandidates(other.queue, scenario, other.values, axes)
    return { searchAxes: axes, axes, coarse: axes, made, moves: null, moreRungs: 1 }
  }
  const searchAxes = (named ?? laddersOf(scenario)).filter(isFree)
  const [bisection = null] = named ? [] : [bisectionLadder(scenario)].filter(isFree)
  const coarse = bisection ? [...searchAxes, bisection] : searchAxes
  const fine = named || !hasFineSteps ? [] : fineLaddersOf(scenario).filter(isFree)
  const axes = coarse.map((axis) => fine.find(({ name }) => name === axis.name) ?? axis)
  const made = new Candidates(scenario, axes)
  const moves = (candidate: Candidate): Candidate[] => [
    ...(bisection ? made.around(candidate, bisection) : []),
    ...fine.flatMap((axis) => made.nextTo(candidate, axis)),
  ]
  return {
    ...{ searchAxes, axes, coarse, made },
    moves: bisection || fine.length > 0 ? moves : null,
    moreRungs: fine.length > 0 ? fineRungs : 1,
  }
}

/** Returns the axis with those values of a finer one that finalists have. */
export function withFound(
  axis: TuneAxis,
  { values }: TuneAxis,
  finalists: readonly Candidate[],
): TuneAxis {
  const found = new Set(finalists.map(({ labels }) => labels[axis.name]))
  const coarse = new Set(axis.values.map(({ label }) => label))
  return { ...axis, values: values.filter(({ label }) => coarse.has(label) || found.has(label)) }
}
