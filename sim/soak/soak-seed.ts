/** Runs one seed of a soak in a worker, and defines the result that the worker returns. */

import { type EngineParts, engineParts } from '../../engine/index.ts'
import { CoverageRecorder } from '../coverage-marks/index.ts'
import type { Defect } from '../defects/defect.ts'
import { breakages } from '../defects/hunt.ts'
import { defects } from '../defects/index.ts'
import { casesOf } from '../exhaustive/cases.ts'
import type { OrderStep } from '../exhaustive/orders.ts'
import { type Cancel, kindsOf, plain } from '../exhaustive/scopes.ts'
import { comparisons } from '../judge/comparisons.ts'
import { propertiesOf } from '../judge/source.ts'
import { type Failure, failuresOf } from '../judge/verdict.ts'
import type { PropertyResult } from '../observe/findings.ts'
import type { Property } from '../observe/property.ts'
import { properties } from '../properties/index.ts'
import { drawsOf } from '../random/draw.ts'
import { runTwice } from '../run/compare-runs.ts'
import { simulate } from '../run/simulate.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { swarmScenario } from '../swarm/swarm.ts'
import { type Kind, kindOf } from './kinds.ts'

// A canary: the soak plants a defect in the engine, and new seeds of the swarm must detect it. If no
// property detects it, the properties no longer work, and a soak without findings proves nothing.

/**
 * Defects that properties detect in fewer than 10 of the 200 seeds of the scoreboard. Other seeds may
 * miss them for long although the properties work, so they are not planted.
 */
export const rareDefects: ReadonlySet<string> = new Set([
  'attached-host-not-asked',
  'batches-grow-past-half-a-failure',
  'batches-never-grow',
  'bisection-wasteful',
  'cache-outlives-a-departure',
  'cancel-waits-for-the-batch',
  'difference-from-one-side',
  'difference-from-the-other-side',
  'end-of-a-hold-slept-through',
  'every-failure-counts-as-a-flake',
  'filling-batch-awaited',
  'flake-only-if-it-fails-first',
  'green-on-an-older-tip',
  'hold-ends-with-a-lost-run',
  'hold-ends-with-a-restart',
  'hold-has-no-end',
  'host-attached-in-mid-work',
  'known-flakes-convict',
  'later-successor-not-awaited',
  'lowered-priority-ignored',
  'mended-failure-is-a-flake',
  'merges-past-a-failure-aside',
  'moved-branch-concerns-one-group',
  'never-screens',
  'no-batch-outlives-the-submission',
  'objection-ignored',
  'not-held-though-flaky',
  'odds-ignored-in-bisections',
  'odds-without-flakes',
  'overtaken-convicts',
  'part-of-a-push-lands-all',
  'passes-end-no-hold',
  'paused-in-mid-batch',
  'push-lands-only-the-first',
  'restart-in-a-bisection-forgotten',
  'screened-is-forgotten',
  'screened-is-passed',
  'split-turns-the-order-round',
  'targets-index-stale',
  'timeout-of-now',
  'upload-ignored-by-who-starts-again',
  'upload-ignored-in-a-bisection',
  'upload-ignored-until-restart',
  'upload-keeps-its-place',
  'upload-overlooks-what-merged',
  'upload-restarts-nobody',
])

/** At least one run in 20 detects each of these, so 1,000 runs do not miss one by chance. */
export const canaries: readonly Defect[] = defects.filter(({ name }) => !rareDefects.has(name))

const maxRuns = 1000

/** The result of the search for a planted defect. */
type HuntResult = {
  readonly defect: string
  /** The number of scenarios that were run with the defect. */
  readonly runs: number
  readonly isFound: boolean
}

/** Returns the defect that this seed plants. */
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
  for (let runs = 1; runs <= atMost; runs++) {
    const scenario = swarmScenario(seed + runs - 1)
    const broken = breakages(scenario, parts)
    if (broken.length === 0) continue
    const alsoWithout = new Set(breakages(scenario).map((failure) => failure.name))
    if (broken.some((failure) => !alsoWithout.has(failure.name))) {
      return { defect: name, runs, isFound: true }
    }
  }
  return { defect: name, runs: atMost, isFound: false }
}

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

// Small cases that are larger than those of `--exhaustive`: four or five pull requests with random
// cancels, in a random order of submissions and results. The seed determines the order, which runs
// with every setting of the queue.

const counts = [4, 5] as const

/** `never` is listed twice, so half of the pull requests are never cancelled. */
const cancels: readonly Cancel[] = ['never', 'never', 'before', 'after']

type Choose = <Option>(key: string, options: readonly Option[]) => Option

/** Generates the cases of this seed: the same order with each setting of the queue. */
export function drawnCases(seed: number): Generator<Scenario> {
  const draw = drawsOf(seed)
  const choose: Choose = (key, options) => {
    const option = options[draw.integer('soak choice', key, options.length)]
    if (option === undefined) throw new Error(`no options for the draw "${key}"`)
    return option
  }
  const count = choose('pull requests', counts)
  const indexes = Array.from({ length: count }, (_, index) => index)
  const order = drawnOrder(count, choose)
  const block = {
    scope: { ...plain, count, orders: [order] },
    order,
    cancels: indexes.map((index) => choose(`cancel ${index}`, cancels)),
  }
  return casesOf(
    block,
    indexes.map((index) => choose(`nature ${index}`, kindsOf(index))),
  )
}

/** Draws an order. Each step submits the next pull request or gives an open one its first result. */
function drawnOrder(count: number, choose: Choose): OrderStep[] {
  const order: OrderStep[] = []
  const open: number[] = []
  for (let submitted = 0; submitted < count || open.length > 0;) {
    const results = open.map((number): OrderStep => ({ kind: 'result', number }))
    const submissions: OrderStep[] =
      submitted < count ? [{ kind: 'submission', number: submitted + 1 }] : []
    const step = choose(`step ${order.length}`, [...submissions, ...results])
    order.push(step)
    if (step.kind === 'submission') open.push(++submitted)
    else open.splice(open.indexOf(step.number), 1)
  }
  return order
}
