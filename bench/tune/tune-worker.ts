/** The entry point of a worker thread: simulates one setting with one seed. */

import { MeasurementCollector } from '../../sim/judge/measurement.ts'
import { distributionOf } from '../../sim/result/distribution.ts'
import type { EndedRun, ResultProjection } from '../../sim/result/result-projection.ts'
import { simulate } from '../../sim/run/simulate.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { toMinutes } from '../../sim/scenario/time.ts'
import { resampleWeeks } from '../../sim/world/resample-weeks.ts'
import { figuresOfPolicy } from '../queues/figures.ts'
import { otherQueue } from '../queues/index.ts'
import { type PolicyOutcome, policyOutcome } from '../queues/simulate-policy.ts'
import type { OtherSetting } from './candidates.ts'
import { type TuneFigures, tuneFigures } from './figures.ts'
import { type ModelChange, changedModel } from './model-change.ts'

export type TuneTask = {
  readonly scenario: Scenario
  /** The setting of another product's queue; null for the setting of the scenario. */
  readonly other: OtherSetting | null
  /** What is assumed otherwise; null for the scenario as it is. */
  readonly change: ModelChange | null
  /** Decides all that is drawn, also the weeks of a history. */
  readonly seed: number
}

export type TuneAnswer = {
  readonly figures: TuneFigures
  readonly events: number
  /** The first violated property; null if there is none. */
  readonly broken: string | null
}

type Simulated = Pick<TuneTask, 'scenario' | 'change'>

/** Returns the scenario that a run simulates: a history with other weeks, and other assumptions. */
export function simulatedScenario({ scenario, change }: Simulated, seed: number): Scenario {
  return resampleWeeks(change ? changedModel(scenario, change, seed) : scenario, seed)
}

/** Returns the text of that scenario as a file for the simulator, without what the file expects. */
export function reproducing(candidate: Simulated, seed: number): string {
  const {
    expect: _expect,
    mustFail: _mustFail,
    $schema: _schema,
    ...scenario
  } = simulatedScenario(candidate, seed)
  return `${JSON.stringify(scenario, null, 2)}\n`
}

// The pool calls a default export or an export of this name.
export function tuneWorker(task: TuneTask): TuneAnswer {
  const scenario = simulatedScenario(task, task.seed)
  if (task.other) return policyAnswer(task.other, scenario)
  const lengths = new PassedLengths()
  const collector = new MeasurementCollector(scenario, [lengths])
  const outcome = simulate(scenario, { observers: [collector.observer], isUnhashed: true })
  const failed = outcome.properties.find(({ violations }) => violations.length > 0)
  const { figures } = collector.measure(outcome)
  return {
    figures: tuneFigures(figures, distributionOf(lengths.found).p95),
    events: outcome.events,
    broken: failed?.name ?? null,
  }
}

/** The lengths of main runs that passed. */
class PassedLengths implements ResultProjection {
  readonly found: number[] = []

  onRunEnd({ run, outcome, lengthMs }: EndedRun): void {
    if (run.owner.kind === 'main' && outcome === 'passed') this.found.push(lengthMs)
  }
}

/** Simulates a setting of another product's queue. */
function policyAnswer({ queue, values, slots }: OtherSetting, scenario: Scenario): TuneAnswer {
  const outcome = policyOutcome(scenario, otherQueue(queue).policy(values), slots)
  return { figures: figuresOfOutcome(outcome, scenario), events: outcome.events, broken: null }
}

function figuresOfOutcome(outcome: PolicyOutcome, scenario: Scenario): TuneFigures {
  const { tally, proofs, passedMs, endedAt } = outcome
  const { midBatch, clearedBySuccessor } = proofs
  const figures = figuresOfPolicy(tally, scenario.prices)
  const endedAtMinutes = toMinutes(endedAt)
  return {
    p95: figures.timeToLandMinutes.p95,
    p50: figures.timeToLandMinutes.p50,
    queueP95: figures.timeInQueueMinutes.p95,
    ciMinutes: figures.minutesPerMerge,
    price: figures.pricePerLanded,
    runs: figures.runsPerMerge,
    evicted: figures.healthyEvicted,
    unproven: midBatch + clearedBySuccessor,
    midBatch,
    clearedBySuccessor,
    disjointTargets: 0,
    direct: 0,
    broken: figures.brokenMainMinutes,
    meanSlots: endedAtMinutes === 0 ? 0 : figures.testMinutes / endedAtMinutes,
    peakSlots: figures.peakRuns,
    landed: figures.merged,
    runP95: distributionOf(passedMs).p95,
    peakMainRuns: figures.peakRuns,
    leaningMerges: 0,
    hiddenBreaks: 0,
  }
}
