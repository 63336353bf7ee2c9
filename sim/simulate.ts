import type { RunOutcome, SimulateOptions } from './run-context.ts'
import type { Scenario } from './scenario/scenario.ts'
import { Simulation } from './simulation.ts'

/** Work that can be left off after any step. */
export type Steps<T> = Generator<void, T, void>

/** Runs a scenario from its first submission until everything has come to rest. */
export function simulate(scenario: Scenario, options: SimulateOptions = {}): RunOutcome {
  const simulation = new Simulation(scenario, options)
  while (simulation.step());
  return simulation.outcome()
}

/** The same, a step at a time. */
export function* simulating(scenario: Scenario, options: SimulateOptions = {}): Steps<RunOutcome> {
  const simulation = new Simulation(scenario, options)
  while (simulation.step()) yield
  return simulation.outcome()
}

/** Takes all steps at once. */
export function drained<T>(steps: Steps<T>): T {
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}
