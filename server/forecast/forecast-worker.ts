/** Forecasts in a thread of its own: no request waits for one. One task at a time. */

import { parentPort } from 'node:worker_threads'
import { forecastOf, type ForecastTask } from './forecast.ts'

parentPort?.on('message', (task: ForecastTask) => {
  parentPort?.postMessage(forecastOf(task), [])
})
