/** Figures that others published, reproduced by this simulator. */

import { batchTesting, survivorsOfBatches } from './batch-testing.ts'
import { mergeQueues, queueSimulator, retries } from './chain-simulators.ts'
import { groupTesting, queueing } from './theory.ts'
import type { Source } from './published-figure.ts'

export type CalibrationInput = {
  /** A folder with histories of builds; null for none. */
  readonly traces: string | null
  /** True for a smoke run with few seeds. */
  readonly isQuick: boolean
}

/** Yields one source after another, so that a caller can show progress or stop. */
export function* calibration({ traces, isQuick }: CalibrationInput): Generator<Source> {
  yield queueing(isQuick)
  yield groupTesting(isQuick)
  yield mergeQueues(isQuick)
  yield queueSimulator(isQuick)
  yield retries(isQuick)
  yield batchTesting(traces, isQuick)
  yield survivorsOfBatches(traces, isQuick)
}
