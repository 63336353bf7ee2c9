/** Forecasts in a worker, one run of an archetype at a time. */

import { toldIn, type ToldRun, type ToldTask } from './told.ts'

export function toldWorker(task: ToldTask): ToldRun {
  return toldIn(task)
}
