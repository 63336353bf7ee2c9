/** The entry point of a worker thread: simulates one setting with one seed. */

import { measuredRun } from '../../sim/judge/measurement.ts'
import { distributionOf } from '../../sim/result/result-document.ts'
import type { EndedRun, ResultProjection } from '../../sim/result/result-projection.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { toMinutes } from '../../sim/scenario/time.ts'
import { resampleWeeks } from '../../sim/world/history.ts'
import { frozenScenario } from '../queues/fair-scenario.ts'
import { figuresOfEngine, figuresOfPolicy } from '../queues/figures.ts'
import { otherQueue } from '../queues/index.ts'
import { policyOutcome } from '../queues/simulate-policy.ts'
import type { OtherSetting } from './candidates.ts'
import { type TuneFigures, tuneFigures } from './figures.ts'
import { type ModelChange, changedModel } from './model-change.ts'

export type TuneTask = {
  readonly scenario: Scenario
  /** The setting of another product's queue; null for the setting of the scenario. */
  readonly other: OtherSetting | null
  /** What is assumed otherwise; null for the scenario as it is. */
  readonly change: ModelChange | null
  /** Whether who conflicts and clashes with whom is decided before the queue runs, as in `compare`. */
  readonly isFair: boolean
  /** Decides all that is drawn, also the weeks of a history. */
  readonly seed: number
}

export type TuneAnswer = {
  readonly figures: TuneFigures
  readonly events: number
  /** The first violated property; null if there is none. */
  readonly broken: string | null
}

type Simulated = Pick<TuneTask, 'scenario' | 'change' | 'isFair'>

/** Returns the scenario that a run simulates: a history with other weeks, and other assumptions. */
function simulatedScenario(simulated: Simulated, seed: number): Scenario {
  const { scenario, change, isFair } = simulated
  const drawn = resampleWeeks(change ? changedModel(scenario, change, seed) : scenario, seed)
  return isFair ? frozenScenario(drawn) : drawn
}

/** Returns the text of that scenario as a file for the simulator, without what the file expects. */
export function reproducing(simulated: Simulated, seed: number): string {
  const {
    expect: _expect,
    mustFail: _mustFail,
    $schema: _schema,
    ...scenario
  } = simulatedScenario(simulated, seed)
  return `${JSON.stringify(scenario, null, 2)}\n`
}

// The pool calls a default export or an export of this name.
export function tuneWorker(task: TuneTask): TuneAnswer {
  const scenario = simulatedScenario(task, task.seed)
  if (task.other) return policyAnswer(task.other, scenario)
  const lengths = new PassedLengths()
  const { figures, work, broken } = measuredRun(scenario, { projections: [lengths] })
  return {
    figures: tuneFigures(figuresOfEngine(figures), {
      unproven: figures.totals.unprovenMerges,
      endedAtMinutes: figures.endedAtMinutes,
      runP95: distributionOf(lengths.found).p95,
      peakMainRuns: figures.totals.peakMainRuns,
      ...(figures.totals.quarantine ? { quarantine: figures.totals.quarantine } : {}),
    }),
    events: work,
    broken,
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
  const { tally, proofs, passedMs, endedAt, events } = outcome
  const { midBatch, clearedBySuccessor } = proofs
  const figures = tuneFigures(figuresOfPolicy(tally, scenario.prices), {
    unproven: {
      batchMiddle: midBatch,
      optimistic: clearedBySuccessor,
      disjointTargets: 0,
      direct: 0,
    },
    endedAtMinutes: toMinutes(endedAt),
    runP95: distributionOf(passedMs).p95,
    peakMainRuns: tally.peakRuns,
  })
  return { figures, events, broken: null }
}
