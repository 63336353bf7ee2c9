/** The entry point of a worker thread: measures random days, or climbs from one day to a worse one. */

import { measuredRun } from '../judge/measurement.ts'
import type { BoundedFigure, Scenario } from '../scenario/scenario.ts'
import { type Genome, choicesOf, dayOf, scenarioOf, stepFrom } from './day.ts'

export type WorstTask =
  | {
      readonly kind: 'random'
      readonly figure: BoundedFigure
      readonly scenario: Scenario
      readonly seeds: readonly number[]
    }
  | {
      readonly kind: 'climb'
      readonly figure: BoundedFigure
      readonly from: Genome
      readonly seed: number
      readonly steps: number
    }

export type WorstAnswer = {
  readonly events: number
  /** Of a random task, the value of each seed. */
  readonly values: readonly number[]
  /** Of a climb, where it ended. */
  readonly genome: Genome | null
  readonly value: number
}

// The pool calls an export of this name.
export function worstWorker(task: WorstTask): WorstAnswer {
  let events = 0
  const measure = (scenario: Scenario): number => {
    const measured = valueOf(scenario, task.figure)
    events += measured.work
    return measured.value
  }
  if (task.kind === 'random') {
    const values = task.seeds.map((seed) => measure(dayOf(task.scenario, seed)))
    return { events, values, genome: null, value: Math.max(noValue, ...values) }
  }
  const next = choicesOf(task.seed)
  let genome = task.from
  let value = measure(scenarioOf(genome))
  for (let step = 0; step < task.steps; step++) {
    const near = stepFrom(genome, next)
    const found = measure(scenarioOf(near))
    // What is as bad is taken too: from there another step may be worse.
    if (found < value) continue
    genome = near
    value = found
  }
  return { events, values: [], genome, value }
}

/** A day without a value, as nobody landed, is less bad than any other. */
export const noValue = -1

/** Returns the figure of a day, or `noValue`. */
export function valueOf(
  day: Scenario,
  figure: BoundedFigure,
): { readonly value: number; readonly work: number } {
  const asked = { ...day, expect: { [figure]: 0 } }
  const { expectations, work } = measuredRun(asked)
  const { actual } = expectations[0] ?? {}
  return { value: typeof actual === 'number' ? actual : noValue, work }
}
