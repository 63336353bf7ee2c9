/** The simulations of the playground, each in pieces that leave time to read messages. */

import { MeasurementCollector } from '../../../../sim/judge/measurement.ts'
import type { RunOutcome, SimulateOptions } from '../../../../sim/observe/run-context.ts'
import type { Figures } from '../../../../sim/result/result-document.ts'
import { simulating } from '../../../../sim/run/simulate.ts'
import type { Scenario } from '../../../../sim/scenario/scenario.ts'
import { fairScenario } from '../../../strategies/fair-scenario.ts'
import { strategies } from '../../../strategies/index.ts'
import { defaultResubmit } from '../../../strategies/resubmission.ts'
import type { Film } from '../film/film.ts'
import { FilmMaker } from '../film/film-maker.ts'
import type { Pause } from './latest.ts'
import type { OtherQueue } from './protocol.ts'

/** A message waits at most about this long. */
const pieceMs = 20

/** Looking at the clock costs as much as a step of a simulation. */
const stepsPerLook = 64

/** Returns null if a newer wish ended it. */
async function run(
  scenario: Scenario,
  options: SimulateOptions,
  pause: Pause,
): Promise<RunOutcome | null> {
  const steps = simulating(scenario, options)
  let since = performance.now()
  let count = 0
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value
    if (++count % stepsPerLook !== 0 || performance.now() - since < pieceMs) continue
    if (!(await pause())) return null
    since = performance.now()
  }
}

/** Measures a run, as `mergeyard sim` does. The hash of the trace takes longer than the rest. */
export async function figuresOf(
  scenario: Scenario,
  { isHashed }: { readonly isHashed: boolean },
  pause: Pause,
): Promise<Figures | null> {
  const collector = new MeasurementCollector(scenario)
  const options = { observers: [collector.observer], isUnhashed: !isHashed }
  const outcome = await run(scenario, options, pause)
  return outcome && collector.measure(outcome).figures
}

export async function filmOf(scenario: Scenario, pause: Pause): Promise<Film | null> {
  const maker = new FilmMaker()
  const outcome = await run(scenario, { observers: [maker.observer], isUnhashed: true }, pause)
  return outcome && maker.film(outcome)
}

/** What other queues would do with the same pull requests, as `mergeyard compare` does. */
export async function* othersOf(scenario: Scenario, pause: Pause): AsyncGenerator<OtherQueue> {
  const { scenario: fair } = fairScenario({
    ...scenario,
    resubmit: scenario.resubmit ?? defaultResubmit,
  })
  for (const { name, about, isReference, simulate } of strategies) {
    if (!(await pause())) return
    yield { name, about, isReference, figures: simulate(fair), of: strategies.length }
  }
}
