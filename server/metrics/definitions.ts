/** The metrics by name, in the Prometheus text format. A registry lives for one scrape. */

import { Counter, Gauge, Histogram, Registry } from 'prom-client'

const labels = ['repo', 'branch', 'queue_type'] as const
const buckets = [60, 300, 600, 900, 1800, 3600, 5400, 7200]

type Label = (typeof labels)[number]
export type Labels = Readonly<Record<Label, string>>

export type Definitions = ReturnType<typeof definitions>

export function definitions() {
  const registry = new Registry()
  const of = { registers: [registry], labelNames: labels }
  const beside = <Name extends string>(...more: readonly Name[]) => ({
    registers: [registry],
    labelNames: [...labels, ...more],
  })
  const histogram = (name: string, help: string): Histogram<Label> =>
    new Histogram({ ...of, name, help, buckets })
  return {
    registry,
    depth: new Gauge({
      ...of,
      name: 'mq_depth_current',
      help: 'Pull requests in the queue, without those that are not ready',
    }),
    awaiting: new Gauge({
      ...of,
      name: 'mq_awaiting_mergeability',
      help: 'Pull requests that are not ready',
    }),
    slots: new Gauge({
      ...of,
      name: 'mq_testing_slots_active',
      help: 'Test runs under way, to be held against the concurrency',
    }),
    conclusions: new Gauge({
      ...beside('conclusion'),
      name: 'mq_pr_conclusions_1h_total',
      help: 'Pull requests that left within the last hour',
    }),
    restarts: new Gauge({
      ...of,
      name: 'mq_pr_restarts_1h_total',
      help: 'How often pull requests went from TESTING back to PENDING within the last hour',
    }),
    wait: histogram(
      'mq_pr_wait_duration_1h_seconds',
      'From submission, or failure of the batch, to the first test run, of those started within the last hour',
    ),
    test: histogram(
      'mq_pr_test_duration_1h_seconds',
      'Time in TESTING at a stretch, of what ended within the last hour',
    ),
    timeInQueue: histogram(
      'mq_pr_time_in_queue_1h_seconds',
      'From submission to merge, of those merged within the last hour',
    ),
    testRuns: new Counter({
      ...beside('outcome'),
      name: 'mq_test_runs_total',
      help: 'Test runs that are over',
    }),
    saved: new Counter({
      ...of,
      name: 'mq_test_runs_saved_total',
      help: 'Test runs that a known verdict made needless',
    }),
    pullRequests: new Counter({
      ...beside('conclusion', 'reason'),
      name: 'mq_pull_requests_total',
      help: 'Pull requests that left, and why',
    }),
  }
}
