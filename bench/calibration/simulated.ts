/** Figures of simulated seeds, for comparisons with published ones. */

import { MeasurementCollector } from '../../sim/judge/measurement.ts'
import type { Figures } from '../../sim/result/result-document.ts'
import { simulate } from '../../sim/run/simulate.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'

/** Simulates one seed with the engine. Properties are not watched: the swarm does that. */
export function figuresOf(scenario: Scenario): Figures {
  const collector = new MeasurementCollector(scenario)
  const outcome = simulate(scenario, {
    observers: [collector.observer],
    properties: [],
    isUnhashed: true,
  })
  return collector.measure(outcome).figures
}

/** Returns the seeds 1 to `count`. */
export function seedsTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
