/** All benchmarks, in the order in which they run and are reported. */

import { apiRate } from './api-rate.ts'
import { apiSize } from './api-size.ts'
import { calibration } from './calibration.ts'
import { event } from './event.ts'
import { growth } from './growth.ts'
import { page } from './page.ts'
import { simulation } from './simulation.ts'
import { store } from './store.ts'
import { takeover } from './takeover.ts'
import type { Benchmark } from './measurement.ts'

export const benchmarks: readonly Benchmark[] = [
  event,
  growth,
  simulation,
  calibration,
  apiRate,
  apiSize,
  store,
  takeover,
  page,
]
