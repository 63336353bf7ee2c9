/** The storm that is measured: a busy queue on a bad day, for as long as one likes. */

import type { Scenario } from '../../sim/scenario/scenario.ts'

/**
 * Everything that a queue has to deal with at once: batches that fail, bisections, flakes,
 * conflicts, cancels and pushes, at a pace that it can just keep up with.
 */
export function storm(pullRequests: number): Scenario {
  return {
    name: 'storm',
    seed: 1,
    queue: {
      concurrency: 10,
      batch: true,
      batchingMinSize: 4,
      batchingMaxWaitTimeMinutes: 5,
      pendingFailureDepth: 1,
      canOptimisticallyMerge: true,
    },
    suite: { minutes: { median: 16, p95: 40 } },
    traffic: {
      count: pullRequests,
      arrivals: { perHour: 15 },
      breakRate: 0.06,
      conflictRate: 0.002,
      noBatchRate: 0.03,
      urgentRate: 0.01,
      cancelRate: 0.02,
      pushRate: 0.02,
    },
    suiteFlakes: { perRun: 0.03 },
    faults: { lostRunRate: 0.01, duplicateResultRate: 0.01, hangRate: 0.002 },
  }
}
