/** The entry point of a worker thread: simulates one setting with one seed. */

import { MeasurementCollector } from '../../../sim/judge/measurement.ts'
import type { RunContext, RunOutcome, StepReader } from '../../../sim/observe/run-context.ts'
import { distributionOf } from '../../../sim/result/distribution.ts'
import type { EndedRun, ResultProjection } from '../../../sim/result/result-projection.ts'
import { simulating } from '../../../sim/run/simulate.ts'
import type { Scenario } from '../../../sim/scenario/scenario.ts'
import { toMinutes } from '../../../sim/scenario/time.ts'
import { otherQueue } from '../../queues/index.ts'
import { figuresOfPolicy } from '../../queues/figures.ts'
import { type PolicyOutcome, policyOutcome } from '../../queues/simulate-policy.ts'
import { type TuneFigures, tuneFigures } from '../figures/figures.ts'
import type { ModelChange } from '../model/model-change.ts'
import type { OtherSetting } from '../settings/candidates.ts'
import { slotsOf } from '../settings/other-candidates.ts'
import { simulatedScenario } from './reproducing.ts'

export type TuneTask = {
  readonly scenario: Scenario
  /** The setting of another product's queue; null for the setting of the scenario. */
  readonly other: OtherSetting | null
  /** What is assumed otherwise; null for the scenario as it is. */
  readonly change: ModelChange | null
  /** Decides all that is drawn, also the weeks of a history. */
  readonly seed: number
  /** The run is stopped when it has had more events; null for no limit. */
  readonly mostEvents: number | null
}

export type TuneAnswer = {
  /** Null if the run was stopped. */
  readonly figures: TuneFigures | null
  readonly events: number
  /** The first violated property; null if there is none. */
  readonly broken: string | null
}

// The pool calls a default export or an export of this name.
export function tuneWorker(task: TuneTask): TuneAnswer {
  const { other, mostEvents } = task
  const scenario = simulatedScenario(task, task.seed)
  if (other) return { ...policyAnswer(other, scenario, mostEvents), broken: null }
  const lengths = new PassedLengths()
  const collector = new MeasurementCollector(scenario, [lengths])
  const counter = new EventCounter()
  const outcome = outcomeWithin(scenario, mostEvents ?? Infinity, counter, collector)
  if (!outcome) return { figures: null, events: counter.events, broken: null }
  const failed = outcome.properties.find(({ violations }) => violations.length > 0)
  const { figures } = collector.measure(outcome)
  return {
    figures: tuneFigures(figures, distributionOf(lengths.found).p95),
    events: outcome.events,
    broken: failed?.name ?? null,
  }
}

/** Runs a scenario. Returns null if it had more events than allowed. */
function outcomeWithin(
  scenario: Scenario,
  mostEvents: number,
  counter: EventCounter,
  { observer }: MeasurementCollector,
): RunOutcome | null {
  const observers = [observer, counter.observer]
  const steps = simulating(scenario, { observers, isUnhashed: true })
  let step = steps.next()
  while (step.done !== true) {
    if (counter.events > mostEvents) return null
    step = steps.next()
  }
  return step.value
}

class EventCounter {
  events = 0

  readonly observer = (_context: RunContext): StepReader => {
    return ({ events }) => {
      this.events += events.length
    }
  }
}

/** The lengths of main runs that passed. */
class PassedLengths implements ResultProjection {
  readonly found: number[] = []

  onRunEnd({ run, outcome, lengthMs }: EndedRun): void {
    if (run.owner.kind === 'main' && outcome === 'passed') this.found.push(lengthMs)
  }
}

// Simulates a setting of another product's queue with one seed.

/** The figures are null if the run was stopped. */
type PolicyAnswer = { readonly figures: TuneFigures | null; readonly events: number }

function policyAnswer(
  { queue: name, values, runners = Infinity }: OtherSetting,
  scenario: Scenario,
  mostEvents: number | null,
): PolicyAnswer {
  const queue = otherQueue(name)
  const concurrency = Math.min(runners, slotsOf(queue, values, scenario))
  const work = { events: 0 }
  const limits = { work, mostEvents: mostEvents ?? Infinity }
  const outcome = policyOutcome(scenario, queue.policy(values), concurrency, limits)
  const figures = outcome && figuresOfOutcome(outcome, scenario)
  return { figures, events: work.events }
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
  }
}
