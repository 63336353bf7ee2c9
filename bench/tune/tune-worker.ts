/** The entry point of a worker thread: simulates one setting with one seed. */

import { MeasurementCollector } from '../../sim/judge/run-scenario.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { simulate } from '../../sim/run/simulate.ts'
import { tuneFigures, type TuneFigures } from './figures.ts'

export type TuneAnswer = {
  readonly figures: TuneFigures
  /** The first violated property; null if there is none. */
  readonly broken: string | null
}

// The pool calls a default export or an export of this name.
export function tuneWorker(scenario: Scenario): TuneAnswer {
  const collector = new MeasurementCollector(scenario)
  const outcome = simulate(scenario, { observers: [collector.observer], isUnhashed: true })
  const failed = outcome.properties.find(({ violations }) => violations.length > 0)
  return {
    figures: tuneFigures(collector.measure(outcome).figures),
    broken: failed?.name ?? null,
  }
}
