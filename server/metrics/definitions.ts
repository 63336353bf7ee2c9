/** The metrics by name, in the Prometheus text format. Each scrape makes a new registry. */

import { Counter, Gauge, Histogram, Registry } from 'prom-client'

const labels = ['host', 'repo', 'branch', 'queue_type'] as const
const buckets = [60, 300, 600, 900, 1800, 3600, 5400, 7200]

type Label = (typeof labels)[number]
export type Labels = Readonly<Record<Label, string>>

export type Definitions = ReturnType<typeof definitions>

export function definitions() {
  const registry = new Registry()
  const common = { registers: [registry], labelNames: labels }
  const withLabels = <Name extends string>(...more: readonly Name[]) => ({
    registers: [registry],
    labelNames: [...labels, ...more],
  })
  const histogram = (name: string, help: string): Histogram<Label> =>
    new Histogram({ ...common, name, help, buckets })
  return {
    registry,
    depth: new Gauge({
      ...common,
      name: 'mq_depth_current',
      help: 'Pull requests in the queue, except those in NOT_READY',
    }),
    awaiting: new Gauge({
      ...common,
      name: 'mq_awaiting_mergeability',
      help: 'Pull requests in NOT_READY',
    }),
    slots: new Gauge({
      ...common,
      name: 'mq_testing_slots_active',
      help: 'Slots in use: one for each test run in progress; the limit is concurrency for main, bisectionConcurrency for bisection',
    }),
    conclusions: new Gauge({
      ...withLabels('conclusion'),
      name: 'mq_pr_conclusions_1h_total',
      help: 'Pull requests that left the queue in the last hour',
    }),
    restarts: new Gauge({
      ...common,
      name: 'mq_pr_restarts_1h_total',
      help: 'Moves from TESTING back to PENDING in the last hour',
    }),
    wait: histogram(
      'mq_pr_wait_duration_1h_seconds',
      'Time from submission, or from the failure of the batch, to the first test run, for first runs of the last hour',
    ),
    test: histogram(
      'mq_pr_test_duration_1h_seconds',
      'Time in TESTING without interruption, for times that ended in the last hour',
    ),
    timeInQueue: histogram(
      'mq_pr_time_in_queue_1h_seconds',
      'Time from submission to merge, for merges of the last hour',
    ),
    testRuns: new Counter({
      ...withLabels('outcome'),
      name: 'mq_test_runs_total',
      help: 'Test runs that have ended',
    }),
    saved: new Counter({
      ...common,
      name: 'mq_test_runs_saved_total',
      help: 'Test runs that a known verdict made unnecessary',
    }),
    byQuarantine: new Counter({
      ...common,
      name: 'mq_merged_by_quarantine_total',
      help: 'Pull requests that merged by a run in which only tests in quarantine failed',
    }),
    pullRequests: new Counter({
      ...withLabels('conclusion', 'reason'),
      name: 'mq_pull_requests_total',
      help: 'Pull requests that left the queue, by reason',
    }),
  }
}
