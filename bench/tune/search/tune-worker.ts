/** The entry point of a worker thread: simulates one setting with one seed. */

import { MeasurementCollector } from '../../../sim/judge/measurement.ts'
import { distributionOf } from '../../../sim/result/distribution.ts'
import type { EndedRun, ResultProjection } from '../../../sim/result/result-projection.ts'
import { simulating } from '../../../sim/run/simulate.ts'
import type { RunContext, RunOutcome, StepReader } from '../../../sim/observe/run-context.ts'
import type { Scenario } from '../../../sim/scenario/scenario.ts'
import type { ModelChange } from '../model/model-change.ts'
import { simulatedScenario } from './reproducing.ts'
import { tuneFigures, type TuneFigures } from '../figures/figures.ts'
import type { OtherSetting } from '../settings/candidates.ts'
import { policyAnswer } from './policy-answer.ts'

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
