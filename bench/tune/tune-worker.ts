/** The entry of a worker thread: one setting, one seed, the real engine. */

import { MeasureBook } from '../../sim/run-scenario.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { simulate } from '../../sim/simulate.ts'
import { tuneFigures, type TuneFigures } from './figures.ts'

export type TuneAnswer = {
  readonly figures: TuneFigures
  /** What the simulator's own checks found wrong; null when nothing. */
  readonly broken: string | null
}

// The pool wants a default export, or a function of this name.
export function tuneWorker(scenario: Scenario): TuneAnswer {
  const book = new MeasureBook(scenario)
  const outcome = simulate(scenario, { readers: [book.reader], isUnhashed: true })
  const failed = outcome.properties.find(({ violations }) => violations.length > 0)
  return {
    figures: tuneFigures(book.measure(outcome).figures),
    broken: failed?.name ?? null,
  }
}
