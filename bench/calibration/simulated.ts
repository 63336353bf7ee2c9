/** Figures of simulated seeds, for comparisons with published ones. */

import { rules, type EngineParts } from '../../engine/index.ts'
import { MeasurementCollector } from '../../sim/judge/measurement.ts'
import type { Figures } from '../../sim/result/result-document.ts'
import { engineWithRules, withMisreadSettings } from '../../sim/run/altered-engines.ts'
import { simulate } from '../../sim/run/simulate.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'

/** Simulates one seed with the engine. Properties are not watched: the swarm does that. */
export function figuresOf(scenario: Scenario, parts?: EngineParts): Figures {
  const collector = new MeasurementCollector(scenario)
  const outcome = simulate(scenario, {
    observers: [collector.observer],
    properties: [],
    isUnhashed: true,
    ...(parts ? { parts } : {}),
  })
  return collector.measure(outcome).figures
}

/** Returns the seeds 1 to `count`. */
export function seedsTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

/** An engine for theories without flakes: it finds no slot left over for a second look (E-141). */
export const withoutSecondLook = engineWithRules({
  lookOnceMore: withMisreadSettings(rules.lookOnceMore, () => ({ bisectionConcurrency: 0 })),
})
