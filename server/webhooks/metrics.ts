/** The metrics of webhooks, by queue and endpoint, in the Prometheus text format. */

import { Counter, Gauge, Registry } from 'prom-client'
import type { Millis } from '../../engine/index.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { attemptOutcomes, type Attempts } from './post.ts'
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
  readonly attempts: Attempts
}

/** Returns every series of these queues, also those at zero. */
export function webhookMetrics(
  queues: readonly ManagedQueue[],
  figures: WebhookFigures,
): Promise<string> {
  const made = definitions()
  for (const { name, ref } of queues) {
    const { host, owner, name: repository, targetBranch: branch } = ref
    for (const endpoint of figures.endpoints) {
      const labels = { host, repo: `${owner}/${repository}`, branch, endpoint: endpoint.id }
      show(made, labels, { endpoint, queue: name, figures })
    }
  }
  return made.registry.metrics()
}

type Definitions = ReturnType<typeof definitions>

function definitions() {
  const registry = new Registry()
  const labelNames = ['host', 'repo', 'branch', 'endpoint'] as const
  const common = { registers: [registry], labelNames }
  return {
    registry,
    backlog: new Gauge({
      ...common,
      name: 'mq_webhook_backlog',
      help: 'Messages that wait to be delivered',
    }),
    oldest: new Gauge({
      ...common,
      name: 'mq_webhook_oldest_waiting_seconds',
      help: 'Age of the message that waits for the longest time; 0 if none waits',
    }),
    undelivered: new Gauge({
      ...common,
      name: 'mq_webhook_undelivered',
      help: 'Messages that were given up and are kept for webhook resend',
    }),
    attempts: new Counter({
      registers: [registry],
      labelNames: [...labelNames, 'outcome'],
      name: 'mq_webhook_attempts_total',
      help: 'Attempts to deliver a message',
    }),
    givenUp: new Counter({
      ...common,
      name: 'mq_webhook_given_up_total',
      help: 'Messages that could not be delivered and were given up',
    }),
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
