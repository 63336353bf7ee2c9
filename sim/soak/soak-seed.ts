/** Runs one seed of a soak in a worker, and defines the result that the worker returns. */

import { drawsOf } from '../random/draw.ts'
import { type EngineParts, engineParts } from '../../engine/index.ts'
import { CoverageRecorder } from '../coverage-marks/index.ts'
import { type Seen, SeenRecorder } from '../coverage-marks/seen.ts'
import { hunt } from '../defects/hunt.ts'
import { defects, type Defect } from '../defects/index.ts'
import { scenarioOf } from '../exhaustive/case.ts'
import { walk } from '../exhaustive/look.ts'
import { scopesOf } from '../exhaustive/scopes.ts'
import { allJudges, judges, type Failure, failuresOf } from '../judge/verdict.ts'
import { propertiesOf } from '../judge/source.ts'
import type { PropertyResult } from '../observe/findings.ts'
import type { Property } from '../observe/property.ts'
import { runTwice, simulate } from '../run/simulate.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { swarmScenario } from '../swarm/swarm.ts'
import { type Forked, Forks } from './forks.ts'

/** The kinds of work of a soak. Each kind has a share of the seeds. */
export const kinds = ['swarm', 'relations', 'exhaustive', 'defects'] as const
export type Kind = (typeof kinds)[number]

/**
 * The number of seeds of each kind per 100 seeds. A seed costs about the same in the first three
 * kinds. A seed of `defects` takes tens of runs; it shows that the properties still detect defects.
 */
const shares: Readonly<Record<Kind, number>> = {
  swarm: 70,
  relations: 15,
  exhaustive: 14,
  defects: 1,
}

/** Returns the kind of a seed. It depends only on the seed, so machines need no coordination. */
export function kindOf(seed: number): Kind {
  const total = kinds.reduce((sum, kind) => sum + shares[kind], 0)
  let left = drawsOf(seed).integer('soak choice', 'kind', total)
  for (const kind of kinds) {
    if (left < shares[kind]) return kind
    left -= shares[kind]
  }
  return 'swarm'
}

// A canary: the soak plants a defect in the engine, and new seeds of the swarm must show it. If neither the
// model nor a property notices it, they no longer work, and a soak without findings proves nothing.

/** A defect that is noticed later than this may be missed by 1,000 runs, so it is not planted. */
const lateSeed = 10

export const canaries: readonly Defect[] = defects.filter(({ firstSeed }) => firstSeed <= lateSeed)

const maxRuns = 1000

/** The result of the search for a planted defect. */
type HuntResult = {
  readonly defect: string
  /** The number of scenarios that were run with the defect. */
  readonly runs: number
  readonly isFound: boolean
}

export function plantedBy(seed: number): Defect {
  const defect = canaries[drawsOf(seed).integer('soak choice', 'defect', canaries.length)]
  if (!defect) throw new Error('no defect to plant')
  return defect
}

/**
 * Runs swarm scenarios from this seed on until a property fails that holds without the defect, at
 * most `atMost` scenarios.
 */
export function huntFrom(
  seed: number,
  { name, parts }: { readonly name: string; readonly parts: EngineParts },
  atMost: number = maxRuns,
): HuntResult {
  const { noticed } = hunt({ name, parts }, atMost, seed)
  const runs = noticed ? noticed.seed - seed + 1 : atMost
  return { defect: name, runs, isFound: noticed !== null }
}

/** The result of one seed. */
export type SoakRun = {
  readonly seed: number
  readonly kind: Kind
  readonly runs: number
  readonly checks: Readonly<Record<string, number>>
  /** The reached coverage marks; empty unless the kind is `swarm`. */
  readonly marks: readonly string[]
  /** What it showed of the engine; null unless the kind is `swarm`. */
  readonly seen: Seen | null
  /** Its forks; null unless the kind is `swarm`. */
  readonly forked: Forked | null
  /** The first scenario that failed, or null. */
  readonly failed: FailedScenario | null
  /** The search for the planted defect; null unless the kind is `defects`. */
  readonly hunted: HuntResult | null
}

export type FailedScenario = {
  readonly scenario: Scenario
  readonly failures: readonly Failure[]
}

/** The tested engine, and the search for the defect that a seed plants. Tests replace both. */
export type SoakSetup = {
  readonly parts: EngineParts
  readonly hunt: (seed: number) => HuntResult
}

const defaultHunt: SoakSetup['hunt'] = (seed) => huntFrom(seed, plantedBy(seed))

/** Runs the work of a seed. The same seed gives the same result on any machine. */
export function soakSeed(seed: number, given: Partial<SoakSetup> = {}): SoakRun {
  const kind = kindOf(seed)
  const setup = { parts: engineParts, hunt: defaultHunt, ...given }
  return { seed, kind, ...emptyWork, ...work[kind](seed, setup) }
}

type Work = Partial<Omit<SoakRun, 'seed' | 'kind'>>

const emptyWork = {
  runs: 1,
  checks: {},
  marks: [],
  seen: null,
  forked: null,
  failed: null,
  hunted: null,
} as const

const work: { readonly [Each in Kind]: (seed: number, setup: SoakSetup) => Work } = {
  swarm: runSwarm,
  relations: runRelations,
  exhaustive: runCases,
  defects: (seed, setup) => {
    const hunted = setup.hunt(seed)
    return { runs: hunted.runs, hunted }
  },
}

/** Does the same as `npm run sim -- --seed`, and forks. */
function runSwarm(seed: number, { parts }: SoakSetup): Work {
  const scenario = swarmScenario(seed)
  const coverage = new CoverageRecorder()
  const recorder = new SeenRecorder()
  const forks = new Forks(parts)
  const checked = propertiesOf({ kind: 'swarm', settings: [], features: [] }, scenario)
  const observers = [coverage.observer, recorder.observer, forks.observer]
  const options = { parts, properties: checked, observers }
  const { outcome, difference } = runTwice(scenario, options)
  const failures = failuresOf({ outcome, expectations: [] }, difference)
  return {
    checks: checksOf([outcome.properties]),
    marks: coverage.reached,
    seen: recorder.seen,
    forked: forks.result,
    failed: failedOf(scenario, failures),
  }
}

function runRelations(seed: number, { parts }: SoakSetup): Work {
  const scenario = swarmScenario(seed)
  const { results, failures } = check(scenario, parts, allJudges)
  return { checks: checksOf([results]), failed: failedOf(scenario, failures) }
}

function runCases(seed: number, { parts }: SoakSetup): Work {
  const all: (readonly PropertyResult[])[] = []
  let failed: FailedScenario | null = null
  for (const scenario of drawnCases(seed)) {
    const { results, failures } = check(scenario, parts, judges)
    all.push(results)
    failed ??= failedOf(scenario, failures)
  }
  return { runs: all.length, checks: checksOf(all), failed }
}

type Checked = { readonly results: readonly PropertyResult[]; readonly failures: Failure[] }

function check(scenario: Scenario, parts: EngineParts, checked: readonly Property[]): Checked {
  const outcome = simulate(scenario, { parts, properties: checked, isUnhashed: true })
  return {
    results: outcome.properties,
    failures: failuresOf({ outcome, expectations: [] }, null),
  }
}

function failedOf(scenario: Scenario, failures: readonly Failure[]): FailedScenario | null {
  return failures.length === 0 ? null : { scenario, failures }
}

function checksOf(all: readonly (readonly PropertyResult[])[]): Record<string, number> {
  const checks: Record<string, number> = {}
  for (const { name, checked } of all.flat()) checks[name] = (checks[name] ?? 0) + checked
  return checks
}

// Small cases beyond `--exhaustive`: four or five pull requests and up to three disturbances, with any
// settings of the queue. Each step is drawn of all that can happen.

const extents = [
  [4, 3],
  [5, 3],
] as const

const casesPerSeed = 6

export function* drawnCases(seed: number): Generator<Scenario> {
  const draw = drawsOf(seed)
  const choose = <Option>(key: string, options: readonly Option[]): Option | undefined =>
    options.length === 0 ? undefined : options[draw.integer('soak choice', key, options.length)]
  for (let index = 0; index < casesPerSeed; index++) {
    const extent = choose(`extent ${index}`, extents)
    const scope = extent && choose(`scope ${index}`, scopesOf(extent))
    if (!scope) return
    const small = walk(scope, (steps, at) => choose(`step ${at} of ${index}`, steps))
    yield scenarioOf(small)
  }
}
