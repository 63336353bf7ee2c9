/** The entry of a worker thread. Each call runs several seeds. */

import { runTwice, simulate } from '../run/simulate.ts'
import { flatFigures, type FlatFigures } from '../result/aggregate.ts'
import { CoverageRecorder } from '../coverage-marks/index.ts'
import { type Seen, SeenRecorder } from '../coverage-marks/seen.ts'
import { MeasurementCollector } from '../judge/measurement.ts'
import { propertiesOf, scenarioOf, type Source } from '../judge/source.ts'
import type { JudgedShare } from '../observe/findings.ts'
import { failuresOf, judge, type Failure } from '../judge/verdict.ts'
import { BadInput } from '../../server/terminal/bad-input.ts'

// Runs one seed of a campaign, and returns what a worker sends back.

export type SeedRun = {
  readonly seed: number
  readonly traceHash: string
  readonly figures: FlatFigures
  readonly events: number
  readonly properties: readonly JudgedShare[]
  readonly failures: readonly Failure[]
  /** The coverage marks that the run reached; empty for scenarios from files. */
  readonly marks: readonly string[]
  /** What it showed of the engine; null for scenarios from files. */
  readonly seen: Seen | null
}

type SeedRunOptions = { readonly source: Source; readonly seed: number; readonly once: boolean }

export function runSeed({ source, seed, once }: SeedRunOptions): SeedRun {
  const scenario = scenarioOf(source, seed)
  const collector = new MeasurementCollector(scenario)
  const coverage = new CoverageRecorder()
  const recorder = new SeenRecorder()
  const isSwarm = source.kind === 'swarm'
  const observers = [collector.observer, ...(isSwarm ? [coverage.observer, recorder.observer] : [])]
  const options = { properties: propertiesOf(source, scenario), observers }
  const { outcome, difference } = once
    ? { outcome: simulate(scenario, options), difference: null }
    : runTwice(scenario, options)
  const { figures, expectations } = collector.measure(outcome)
  return {
    seed,
    traceHash: outcome.traceHash,
    figures: flatFigures(figures),
    events: outcome.events,
    properties: outcome.judged,
    failures: judge(scenario, failuresOf(outcome.properties, expectations, difference)),
    marks: coverage.reached,
    seen: isSwarm ? recorder.seen : null,
  }
}

export type SeedTask = {
  readonly source: Source
  readonly seeds: readonly number[]
  readonly once: boolean
}

/** The result of a task. Errors lose their class between threads, so faults are sent as lines. */
export type SeedAnswer = { readonly runs: SeedRun[] } | { readonly faults: readonly string[] }

// The pool calls the function by this name.
export function seedWorker({ source, seeds, once }: SeedTask): SeedAnswer {
  try {
    return { runs: seeds.map((seed) => runSeed({ source, seed, once })) }
  } catch (error) {
    if (!(error instanceof BadInput)) throw error
    return { faults: error.lines }
  }
}
