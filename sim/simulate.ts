import type { RunOutcome, SimulateOptions } from './run-context.ts'
import type { Scenario } from './scenario/scenario.ts'
import { Simulation } from './simulation.ts'

/** Runs a scenario from its first submission until everything has come to rest. */
export function simulate(scenario: Scenario, options: SimulateOptions = {}): RunOutcome {
  const simulation = new Simulation(scenario, options)
  while (simulation.step());
  return simulation.outcome()
}
