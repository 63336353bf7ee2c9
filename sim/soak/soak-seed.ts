/** Runs one seed of a soak in a worker, and defines the result that the worker returns. */

import { type EngineParts, engineParts } from '../../engine/index.ts'
import { CoverageRecorder } from '../coverage-marks/index.ts'
import { type Seen, SeenRecorder } from '../coverage-marks/seen.ts'
import { hunt } from '../defects/hunt.ts'
import { defects, type Defect } from '../defects/index.ts'
import { scenarioOf } from '../exhaustive/case.ts'
import { walk } from '../exhaustive/look.ts'
import { scopesOf } from '../exhaustive/scopes.ts'
import { judgedOnce } from '../judge/run-scenario.ts'
import { propertiesOf } from '../judge/source.ts'
import { allJudges, type Failure, failuresOf } from '../judge/verdict.ts'
import type { PropertyResult } from '../observe/findings.ts'
import { drawsOf } from '../random/draw.ts'
import { runTwice } from '../run/simulate.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { swarmScenario } from '../swarm/swarm.ts'
import { type Forked, Forks } from './forks.ts'

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

/** The result of the search for a planted defect. */
type HuntResult = {
  readonly defect: string
  /** The number of scenarios that were run with the defect. */
  readonly runs: number
  readonly isFound: boolean
}

/** The tested engine, and the search for the defect that a seed plants. Tests replace both. */
export type SoakSetup = {
  readonly parts: EngineParts
  readonly hunt: (seed: number) => HuntResult
}

type Work = Partial<Omit<SoakRun, 'seed' | 'kind'>>

/** The kinds of work of a soak. Each kind has a share of the seeds. */
export const kinds = ['swarm', 'relations', 'exhaustive', 'defects'] as const
export type Kind = (typeof kinds)[number]

/**
 * How many of 100 seeds do the work of a kind. A seed costs about the same in the first three kinds. A seed of
 * `defects` takes tens of runs; it shows that the properties still detect defects.
 */
const work: {
  readonly [Each in Kind]: { share: number; run: (seed: number, setup: SoakSetup) => Work }
} = {
  swarm: { share: 70, run: runSwarm },
  relations: {
    share: 15,
    run: (seed, { parts }) => {
      const scenario = swarmScenario(seed)
      const { properties, failures } = judgedOnce(scenario, { parts, properties: allJudges })
      return { checks: checksOf(properties), failed: failedOf(scenario, failures) }
    },
  },
  exhaustive: { share: 14, run: runCases },
  defects: {
    share: 1,
    run: (seed, setup) => {
      const hunted = setup.hunt(seed)
      return { runs: hunted.runs, hunted }
    },
  },
}

/** Returns the kind of a seed. It depends only on the seed, so machines need no coordination. */
export function kindOf(seed: number): Kind {
  const total = kinds.reduce((sum, kind) => sum + work[kind].share, 0)
  let left = drawsOf(seed).integer('soak choice', 'kind', total)
  return kinds.find((kind) => (left -= work[kind].share) < 0) ?? 'swarm'
}

/** Runs the work of a seed. The same seed gives the same result on any machine. */
export function soakSeed(seed: number, given: Partial<SoakSetup> = {}): SoakRun {
  const kind = kindOf(seed)
  const setup = {
    parts: engineParts,
    hunt: (from: number) => huntFrom(from, plantedBy(from)),
    ...given,
  }
  return {
    seed,
    kind,
    runs: 1,
    checks: {},
    marks: [],
    seen: null,
    forked: null,
    failed: null,
    hunted: null,
    ...work[kind].run(seed, setup),
  }
}

/** What a worker thread does: the pool calls it by this name. */
export function soakWorker(seeds: readonly number[]): SoakRun[] {
  return seeds.map((seed) => soakSeed(seed))
}

/** Does the same as `npm run sim -- --seed`, and forks. */
function runSwarm(seed: number, { parts }: SoakSetup): Work {
  const scenario = swarmScenario(seed)
  const [coverage, recorder, forks] = [new CoverageRecorder(), new SeenRecorder(), new Forks(parts)]
  const { outcome, difference } = runTwice(scenario, {
    parts,
    properties: propertiesOf({ kind: 'swarm', settings: [], features: [] }, scenario),
    observers: [coverage.observer, recorder.observer, forks.observer],
  })
  return {
    checks: checksOf(outcome.properties),
    marks: coverage.reached,
    seen: recorder.seen,
    forked: forks.result,
    failed: failedOf(scenario, failuresOf(outcome.properties, [], difference)),
  }
}

function runCases(seed: number, { parts }: SoakSetup): Work {
  const all = [...drawnCases(seed)].map((scenario) => {
    const { properties, failures } = judgedOnce(scenario, { parts })
    return { properties, failed: failedOf(scenario, failures) }
  })
  return {
    runs: all.length,
    checks: checksOf(all.flatMap(({ properties }) => properties)),
    failed: all.find(({ failed }) => failed)?.failed ?? null,
  }
}

const failedOf = (scenario: Scenario, failures: readonly Failure[]): FailedScenario | null =>
  failures.length === 0 ? null : { scenario, failures }

function checksOf(results: readonly PropertyResult[]): Record<string, number> {
  const checks: Record<string, number> = {}
  for (const { name, checked } of results) checks[name] = (checks[name] ?? 0) + checked
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
    yield scenarioOf(walk(scope, (steps, at) => choose(`step ${at} of ${index}`, steps)))
  }
}

// A canary: the soak plants a defect in the engine, and new seeds of the swarm must show it. If neither the
// model nor a property notices it, they no longer work, and a soak without findings proves nothing.

/** A defect that is noticed later than this may be missed by 1,000 runs, so it is not planted. */
const lateSeed = 10
const maxRuns = 1000

export const canaries: readonly Defect[] = defects.filter(({ firstSeed }) => firstSeed <= lateSeed)

export function plantedBy(seed: number): Defect {
  const defect = canaries[drawsOf(seed).integer('soak choice', 'defect', canaries.length)]
  if (!defect) throw new Error('no defect to plant')
  return defect
}

/** Runs swarm scenarios from this seed on until the defect is noticed, at most `atMost` scenarios. */
export function huntFrom(
  seed: number,
  defect: Pick<Defect, 'name' | 'parts'>,
  atMost = maxRuns,
): HuntResult {
  const { noticed } = hunt(defect, atMost, seed)
  const runs = noticed ? noticed.seed - seed + 1 : atMost
  return { defect: defect.name, runs, isFound: noticed !== null }
}
