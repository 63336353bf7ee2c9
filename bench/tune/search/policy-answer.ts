/** Simulates a setting of another product's queue with one seed. */

import { distributionOf } from '../../../sim/result/distribution.ts'
import type { Scenario } from '../../../sim/scenario/scenario.ts'
import { toMinutes } from '../../../sim/scenario/time.ts'
import { otherQueue } from '../../queues/index.ts'
import { figuresOfPolicy } from '../../strategies/figures.ts'
import { policyOutcome, type PolicyOutcome } from '../../strategies/simulate-policy.ts'
import type { TuneFigures } from '../figures/figures.ts'
import type { OtherSetting } from '../settings/candidates.ts'
import { slotsOf } from '../settings/other-candidates.ts'

/** The figures are null if the run was stopped. */
type PolicyAnswer = { readonly figures: TuneFigures | null; readonly events: number }

export function policyAnswer(
  { queue: name, values, runners = Infinity }: OtherSetting,
  scenario: Scenario,
  mostEvents: number | null,
): PolicyAnswer {
  const queue = otherQueue(name)
  const concurrency = Math.min(runners, slotsOf(queue, values, scenario))
  const settings = { concurrency, batchSize: null }
  const work = { events: 0 }
  const limits = { work, mostEvents: mostEvents ?? Infinity }
  const outcome = policyOutcome(scenario, queue.policy(values), settings, limits)
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
