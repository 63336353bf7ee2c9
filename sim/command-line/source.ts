/** Where the scenarios of a run come from: a file, or the swarm, which has one for every seed. */

import { properties } from '../properties/index.ts'
import type { Property } from '../properties/property.ts'
import { scenarioDefaults, type Scenario } from '../scenario/scenario.ts'
import { applySettings } from '../scenario/settings.ts'
import type { Feature } from '../swarm/features.ts'
import { swarmName, swarmScenario } from '../swarm/swarm.ts'

export type Source =
  /** A scenario, settings applied, and its file as it was named. */
  | { readonly kind: 'file'; readonly file: string; readonly scenario: Scenario }
  | {
      readonly kind: 'swarm'
      readonly settings: readonly string[]
      /** Features that every scenario has. */
      readonly features: readonly Feature[]
    }

export function nameOf(source: Source): string {
  return source.kind === 'file' ? source.scenario.name : swarmName
}

/** The scenario with this seed; with none, a file's own. */
export function scenarioOf(source: Source, seed: number | null): Scenario {
  if (source.kind === 'swarm') {
    const scenario = swarmScenario(seed ?? scenarioDefaults.seed, source.features)
    return applySettings(scenario, source.settings)
  }
  return seed === null ? source.scenario : { ...source.scenario, seed }
}

/** What is watched in its runs. */
export function propertiesOf(_source: Source, _scenario: Scenario): readonly Property[] {
  return properties
}
