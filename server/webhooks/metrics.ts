/** The metrics of webhooks, by queue and endpoint, in the Prometheus text format. */

import type { Millis } from '../../engine/index.ts'
import type { Counts } from '../history/counts.ts'
import { metricsWith } from '../metrics/definitions.ts'
import { labelsOf } from '../metrics/metrics.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { attemptOutcomes } from './post.ts'
import type { Lane } from './dispatcher.ts'

/** What waits for one endpoint, and what could not be delivered to it. */
type EndpointBacklog = {
  readonly id: string
  readonly lanes: ReadonlyMap<string, Lane>
  /** The number of undelivered messages that are kept, by queue. */
  readonly undelivered: ReadonlyMap<string, number>
}

export type WebhookFigures = {
  readonly now: Millis
  readonly endpoints: readonly EndpointBacklog[]
  readonly attempts: Counts
}

/** Returns every series of these queues, also those at zero. */
export function webhookMetrics(
  queues: readonly ManagedQueue[],
  figures: WebhookFigures,
): Promise<string> {
  const made = definitions()
  for (const queue of queues) {
    for (const endpoint of figures.endpoints) {
      const labels = { ...labelsOf(queue), endpoint: endpoint.id }
      show(made, labels, { endpoint, queue: queue.name, figures })
    }
  }
  return made.registry.metrics()
}

type Definitions = ReturnType<typeof definitions>

function definitions() {
  const { registry, gauge, counter } = metricsWith('host', 'repo', 'branch', 'endpoint')
  return {
    registry,
    backlog: gauge('mq_webhook_backlog', 'Messages that wait to be delivered'),
    oldest: gauge(
      'mq_webhook_oldest_waiting_seconds',
      'Age of the message that waits for the longest time; 0 if none waits',
    ),
    undelivered: gauge(
      'mq_webhook_undelivered',
      'Messages that were given up and are kept for webhook resend',
    ),
    attempts: counter('mq_webhook_attempts_total', 'Attempts to deliver a message', 'outcome'),
    givenUp: counter(
      'mq_webhook_given_up_total',
      'Messages that could not be delivered and were given up',
    ),
  }
}

type Labels = Readonly<Record<'host' | 'repo' | 'branch' | 'endpoint', string>>

type Shown = {
  readonly endpoint: EndpointBacklog
  readonly queue: string
  readonly figures: WebhookFigures
}

function show(made: Definitions, labels: Labels, { endpoint, queue, figures }: Shown): void {
  const { now, attempts } = figures
  const { id, lanes, undelivered } = endpoint
  const lane = lanes.get(queue)
  const since = lane?.first?.since ?? now
  made.backlog.set(labels, lane?.size ?? 0)
  made.oldest.set(labels, Math.max(0, now - since) / 1_000)
  made.undelivered.set(labels, undelivered.get(queue) ?? 0)
  for (const outcome of attemptOutcomes) {
    made.attempts.inc({ ...labels, outcome }, attempts.of(id, queue, outcome))
  }
  made.givenUp.inc(labels, attempts.of(id, queue, 'given_up'))
}
