/** The source of scenarios: a file, or the swarm, which makes one for every seed. */

import { drawsOf } from '../random/draw.ts'
import type { Property } from '../observe/property.ts'
import { relations } from '../relations/relations.ts'
import { generatedCount, scenarioDefaults, type Scenario } from '../scenario/scenario.ts'
import { applySettings } from '../scenario/settings.ts'
import type { Feature } from '../swarm/features.ts'
import { swarmName, swarmScenario } from '../swarm/swarm.ts'
import { shellWord } from '../../server/terminal/text.ts'
import { allJudges, judges, judgesOf } from './verdict.ts'
import { agreesWithTheModel } from './agrees-with-the-model.ts'

export type Source =
  /** A scenario with its settings applied, and the path of its file as the caller gave it. */
  | {
      readonly kind: 'file'
      readonly file: string
      readonly scenario: Scenario
      readonly only?: 'model' | undefined
    }
  | {
      readonly kind: 'swarm'
      readonly settings: readonly string[]
      /** Features that every scenario has. */
      readonly features: readonly Feature[]
      /** Every seed is compared with the model, and checked with nothing else. */
      readonly only?: 'model' | undefined
    }

export function nameOf(source: Source): string {
  return source.kind === 'file' ? source.scenario.name : swarmName
}

/** Returns the scenario with this seed; if it is null, with the seed of the file. */
export function scenarioOf(source: Source, seed: number | null): Scenario {
  if (source.kind === 'swarm') {
    const scenario = swarmScenario(seed ?? scenarioDefaults.seed, source.features)
    return applySettings(scenario, source.settings)
  }
  return seed === null ? source.scenario : { ...source.scenario, seed }
}

/** The share of swarm runs that are checked with each relation. */
const relationShare = 1 / 20

/**
 * Returns the properties to check in a run. Each relation costs as much as a run, so only some runs are
 * checked with one.
 */
export function propertiesOf(source: Source, scenario: Scenario): readonly Property[] {
  if (source.only === 'model') return [agreesWithTheModel]
  if (source.kind === 'file') {
    const { traffic, pullRequests = [] } = scenario
    const count = generatedCount(scenario) + pullRequests.length
    const isSmall = traffic === undefined && count <= smallRun
    return isSmall ? allJudges : judgesOf(count, modelUpTo)
  }
  const draw = drawsOf(scenario.seed ?? scenarioDefaults.seed)
  const drawn = relations.filter(({ name }) => draw.chance('relation checked', name, relationShare))
  return [...judges, ...drawn]
}

/** Scenario files with at most this many pull requests are checked with all relations. */
const smallRun = 50

/** And those with at most this many with the model. */
const modelUpTo = 400

// The command that reproduces a run.

type ReplayCommandParts = {
  readonly source: Source
  readonly seed: number
  readonly settings: readonly string[]
}

/** Returns the command, quoted for a shell. The swarm needs only a seed, no file. */
export function replayCommand({ source, seed, settings }: ReplayCommandParts): string {
  const file = source.kind === 'file' ? [source.file] : []
  const features = source.kind === 'swarm' ? source.features : []
  const parts = [
    ...file,
    '--seed',
    String(seed),
    ...features.flatMap((each) => ['--with', each]),
    ...(source.only === 'model' ? ['--model'] : []),
    ...settings.flatMap((each) => ['--set', each]),
  ]
  return simLine(parts)
}

/** Returns the command that calls the simulator with these arguments. */
export function simLine(parts: readonly string[]): string {
  return `npm run sim -- ${parts.map(shellWord).join(' ')}`
}
