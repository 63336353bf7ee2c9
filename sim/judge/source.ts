/** The source of scenarios: a file, or the swarm, which makes one for every seed. */

import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { drawsOf } from '../random/draw.ts'
import type { Property } from '../observe/property.ts'
import { relations } from '../relations/relations.ts'
import { generatedCount, scenarioDefaults, type Scenario } from '../scenario/scenario.ts'
import { applySettings } from '../scenario/settings.ts'
import type { Feature } from '../swarm/features.ts'
import { swarmName, swarmScenario } from '../swarm/swarm.ts'
import { shellWord } from '../../server/terminal/text.ts'
import { BadInput, BadLines } from '../../server/terminal/bad-input.ts'
import { kindAt } from '../../server/terminal/files.ts'
import { badUsage } from '../../server/terminal/options.ts'
import { SchemaInput } from '../scenario/check.ts'
import { loadScenario } from '../scenario/load.ts'
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

// Loads the scenarios that the command line names.

type SourceOptions = {
  /** Overrides of scenario fields, `path=value`. */
  readonly settings: readonly string[]
  /** Features that every scenario of the swarm has. */
  readonly features: readonly Feature[]
  /** Compare every run with the model, and check nothing else. */
  readonly model?: boolean
  /** Is told of each file that is skipped, in a whole line. */
  readonly onSkipped?: (line: string) => void
}

/**
 * Loads the scenarios in the files and folders `names`, with the settings applied. A folder stands
 * for its `*.json` files, sorted by name, without subfolders and schemas. Without names, returns the
 * swarm. Throws `BadLines` with the faults of all files.
 *
 * `*.json`, as a shell expands it, names the schema among the scenarios. So a JSON Schema beside
 * scenarios is skipped; alone it is a fault (S-2).
 */
export function loadSources(
  names: readonly string[],
  from: string,
  { settings, features, model = false, onSkipped }: SourceOptions,
): Source[] {
  const only = model ? ({ only: 'model' } as const) : {}
  if (names.length === 0) return [{ kind: 'swarm', settings, features, ...only }]
  const faults: string[] = []
  const schemas: SchemaInput[] = []
  const sources: Source[] = []
  const attempt = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      if (!(error instanceof BadInput)) throw error
      if (error instanceof SchemaInput) schemas.push(error)
      else faults.push(...error.lines)
    }
  }
  for (const name of names) {
    attempt(() => {
      for (const file of filesOf(name, from)) {
        attempt(() => {
          const scenario = applySettings(loadScenario(resolve(from, file), file), settings)
          sources.push({ kind: 'file', file, scenario, ...only })
        })
      }
    })
  }
  if (sources.length === 0) faults.push(...schemas.flatMap(({ lines }) => lines))
  if (faults.length > 0) throw new BadLines(faults)
  for (const { source } of schemas) {
    onSkipped?.(`${source}: skipped, because it is a JSON Schema and not a scenario\n`)
  }
  return sources
}

/** Loads the one scenario that the operands of a command name. Throws `BadInput` for more, and for none. */
export function loadOne(
  { operands }: { readonly operands: readonly string[] },
  { command, from, settings }: { command: string; from: string; settings: readonly string[] },
): Scenario {
  const sources = loadSources(operands, from, { settings, features: [] })
  const [source] = sources
  if (sources.length === 1 && source?.kind === 'file') return source.scenario
  throw badUsage(command, `${sources.length} scenarios`, 'one scenario')
}

function filesOf(name: string, from: string): string[] {
  const path = resolve(from, name)
  if (kindAt(path) !== 'folder') return [name]
  const files = readdirSync(path, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ name: file }) => file)
    .filter((file) => file.endsWith('.json') && !file.endsWith('.schema.json'))
    .sort((a, b) => (a < b ? -1 : 1))
  if (files.length === 0) {
    const expected = 'a folder with scenarios (*.json) in it'
    throw new BadInput(name, [{ where: 'folder', expected, actual: 'none' }])
  }
  return files.map((file) => join(name, file))
}
