/** Where the scenarios of a run come from: a file, or the swarm, which has one for every seed. */

import { drawsOf } from '../draw.ts'
import { properties } from '../properties/index.ts'
import type { Property } from '../properties/property.ts'
import { relations } from '../relations/index.ts'
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

/** Of the runs of the swarm, so many are checked against each of their variants. */
const relationShare = 1 / 20

/** What is watched in its runs. Variants cost as much again, so not every run has all of them. */
export function propertiesOf(source: Source, scenario: Scenario): readonly Property[] {
  if (source.kind === 'file') return isSmall(scenario) ? [...properties, ...relations] : properties
  const draw = drawsOf(scenario.seed ?? scenarioDefaults.seed)
  const drawn = relations.filter(({ name }) => draw.chance('relation checked', name, relationShare))
  return [...properties, ...drawn]
}

const isSmall = ({ traffic, pullRequests = [] }: Scenario): boolean =>
  traffic === undefined && pullRequests.length <= smallRun

const smallRun = 50
