import type { Scenario } from '../../sim/scenario/scenario.ts'

/**
 * Returns a scenario with `pullRequests` generated pull requests. It has failing batches,
 * bisections, flakes, conflicts, cancels, pushes and faults of the test runner. Pull requests
 * arrive at the highest rate that the queue can still handle.
 */
export function heavyScenario(pullRequests: number): Scenario {
  return {
    name: 'heavy-load',
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
