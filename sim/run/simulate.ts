import type { RunOutcome, SimulateOptions } from '../observe/run-context.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { Simulation } from './simulation.ts'

/** Work that the caller can stop after any step. */
export type Steps<T> = Generator<void, T, void>

/**
 * Runs a scenario from its first submission until nothing is scheduled and the queue is at rest.
 */
export function simulate(scenario: Scenario, options: SimulateOptions = {}): RunOutcome {
  const simulation = new Simulation(scenario, options)
  while (simulation.step());
  return simulation.outcome()
}

/** Like `simulate`, but the caller can stop after any step. */
export function* simulating(scenario: Scenario, options: SimulateOptions = {}): Steps<RunOutcome> {
  const simulation = new Simulation(scenario, options)
  while (simulation.step()) yield
  return simulation.outcome()
}

/** Runs all steps and returns the result. */
export function drained<T>(steps: Steps<T>): T {
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}
