/** All benchmarks, in the order in which they run and are reported. */

import { apiRate } from './api-rate.ts'
import { calibration } from './calibration.ts'
import { event } from './event.ts'
import { page } from './page.ts'
import { simulation } from './simulation.ts'
import type { Benchmark } from './measurement.ts'

export const benchmarks: readonly Benchmark[] = [event, simulation, calibration, apiRate, page]
