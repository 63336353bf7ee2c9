/** What one seed draws of a scenario. */

import type { Scenario } from '../../sim/scenario/scenario.ts'

/** Returns the scenario with a seed: it decides all that is drawn. */
export function drawn(scenario: Scenario, seed: number): Scenario {
  return { ...scenario, seed }
}
