/** Runs one seed of a soak in a worker, and defines the result that the worker returns. */

import { engineParts, type EngineParts } from '../../engine/index.ts'
import { CoverageRecorder } from '../coverage-marks/index.ts'
import { propertiesOf } from '../judge/source.ts'
import { failuresOf, type Failure } from '../judge/verdict.ts'
import type { Property } from '../observe/property.ts'
import type { PropertyResult } from '../observe/findings.ts'
import { properties } from '../properties/index.ts'
import { comparisons } from '../judge/comparisons.ts'
import { runTwice } from '../run/compare-runs.ts'
import { simulate } from '../run/simulate.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { swarmScenario } from '../swarm/swarm.ts'
import { huntFrom, plantedBy, type HuntResult } from './canary.ts'
import { drawnCases } from './drawn-cases.ts'
import { kindOf, type Kind } from './kinds.ts'

/** The result of one seed. */
export type SoakRun = {
  readonly seed: number
  readonly kind: Kind
  /** The number of scenarios that were run. */
  readonly runs: number
  /** The number of checks of each property. */
  readonly checks: Readonly<Record<string, number>>
  /** The reached coverage marks; empty unless the kind is `swarm`. */
  readonly marks: readonly string[]
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

const defaultSetup: SoakSetup = {
  parts: engineParts,
  hunt: (seed) => huntFrom(seed, plantedBy(seed)),
}

/** Runs the work of a seed. The same seed gives the same result on any machine. */
export function soakSeed(seed: number, setup: SoakSetup = defaultSetup): SoakRun {
  const kind = kindOf(seed)
  return { seed, kind, ...emptyWork, ...work[kind](seed, setup) }
}

type Work = Partial<Omit<SoakRun, 'seed' | 'kind'>>

const emptyWork = { runs: 1, checks: {}, marks: [], failed: null, hunted: null } as const

const work: { readonly [Each in Kind]: (seed: number, setup: SoakSetup) => Work } = {
  swarm: runSwarm,
  relations: runRelations,
  exhaustive: runCases,
  defects: (seed, { hunt }) => {
    const hunted = hunt(seed)
    return { runs: hunted.runs, hunted }
  },
}

/** Does the same as `npm run sim -- --seed`. */
function runSwarm(seed: number, { parts }: SoakSetup): Work {
  const scenario = swarmScenario(seed)
  const coverage = new CoverageRecorder()
  const checked = propertiesOf({ kind: 'swarm', settings: [], features: [] }, scenario)
  const options = { parts, properties: checked, observers: [coverage.observer] }
  const { outcome, difference } = runTwice(scenario, options)
  const failures = failuresOf({ outcome, expectations: [] }, difference)
  return {
    checks: checksOf([outcome.properties]),
    marks: coverage.reached,
    failed: failedOf(scenario, failures),
  }
}

function runRelations(seed: number, { parts }: SoakSetup): Work {
  const scenario = swarmScenario(seed)
  const { results, failures } = check(scenario, parts, [...properties, ...comparisons])
  return { checks: checksOf([results]), failed: failedOf(scenario, failures) }
}

function runCases(seed: number, { parts }: SoakSetup): Work {
  const all: (readonly PropertyResult[])[] = []
  let failed: FailedScenario | null = null
  for (const scenario of drawnCases(seed)) {
    const { results, failures } = check(scenario, parts, properties)
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
