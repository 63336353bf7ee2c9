/** All benchmarks, in the order in which they run and are reported. */

import type { Benchmark } from '../measuring/measurement.ts'
import { apiHold } from './api-hold.ts'
import { apiRate } from './api-rate.ts'
import { apiSize } from './api-size.ts'
import { apiWebhooks } from './api-webhooks.ts'
import { apiYear } from './api-year.ts'
import { bisection } from './bisection.ts'
import { calibration } from './calibration.ts'
import { draw } from './draw.ts'
import { engineStep } from './engine-step.ts'
import { event } from './event.ts'
import { github } from './github.ts'
import { growth } from './growth.ts'
import { lanes } from './lanes.ts'
import { over } from './over.ts'
import { page } from './page.ts'
import { planner } from './planner.ts'
import { playground } from './playground.ts'
import { repository } from './repository.ts'
import { simulation } from './simulation.ts'
import { snapshot } from './snapshot.ts'
import { store } from './store.ts'
import { takeover } from './takeover.ts'
import { tune } from './tune.ts'

export const benchmarks: readonly Benchmark[] = [
  event,
  growth,
  simulation,
  playground,
  engineStep,
  planner,
  lanes,
  bisection,
  draw,
  snapshot,
  tune,
  calibration,
  apiHold,
  apiRate,
  apiSize,
  apiYear,
  apiWebhooks,
  store,
  takeover,
  over,
  repository,
  github,
  page,
]
