/** The metrics by name, in the Prometheus text format. Each scrape makes a new registry. */

import { Counter, Gauge, Histogram, Registry } from 'prom-client'

const buckets = [60, 300, 600, 900, 1800, 3600, 5400, 7200]

/** Makes metrics with these labels, each with more of its own, in a new registry. */
export function metricsWith<Label extends string>(...labels: readonly Label[]) {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    gauge: <More extends string = never>(name: string, help: string, ...more: readonly More[]) =>
      new Gauge({ registers, name, help, labelNames: [...labels, ...more] }),
    counter: <More extends string = never>(name: string, help: string, ...more: readonly More[]) =>
      new Counter({ registers, name, help, labelNames: [...labels, ...more] }),
    histogram: (name: string, help: string) =>
      new Histogram({ registers, name, help, labelNames: [...labels], buckets }),
  }
}

export type Definitions = ReturnType<typeof definitions>

export function definitions() {
  const { registry, gauge, counter, histogram } = metricsWith(
    'host',
    'repo',
    'branch',
    'queue_type',
  )
  return {
    registry,
    depth: gauge('mq_depth_current', 'Pull requests in the queue, except those in NOT_READY'),
    awaiting: gauge('mq_awaiting_mergeability', 'Pull requests in NOT_READY'),
    slots: gauge(
      'mq_testing_slots_active',
      'Slots in use: one for each test run in progress; the limit is concurrency for main, bisectionConcurrency for bisection',
    ),
    conclusions: gauge(
      'mq_pr_conclusions_1h_total',
      'Pull requests that left the queue in the last hour',
      'conclusion',
    ),
    restarts: gauge(
      'mq_pr_restarts_1h_total',
      'Moves from TESTING back to PENDING in the last hour',
    ),
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
    testRuns: counter('mq_test_runs_total', 'Test runs that have ended', 'outcome'),
    saved: counter('mq_test_runs_saved_total', 'Test runs that a known verdict made unnecessary'),
    byQuarantine: counter(
      'mq_merged_by_quarantine_total',
      'Pull requests that merged by a run in which only tests in quarantine failed',
    ),
    pullRequests: counter(
      'mq_pull_requests_total',
      'Pull requests that left the queue, by reason',
      'conclusion',
      'reason',
    ),
  }
}
