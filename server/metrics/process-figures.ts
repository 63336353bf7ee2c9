/**
 * Figures of the whole process: the event loop, memory, and the disk. They exist once, also if several
 * servers run in one process.
 */

import { subscribe } from 'node:diagnostics_channel'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { syncTimes } from '../files/sync-time.ts'
import { once } from '../http/once.ts'

const syncBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

/** Collects from the first call on. */
export const processFigures = once((): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const sync = new Histogram({
    name: 'mergeyard_fdatasync_seconds',
    help: 'Time of each fdatasync of the command log, for which responses wait',
    buckets: syncBuckets,
    registers: [registry],
  })
  subscribe(syncTimes.name, (seconds) => {
    if (typeof seconds === 'number') sync.observe(seconds)
  })
  return registry
})
