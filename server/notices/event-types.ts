/** The event types of webhooks. */

import type { Ahead } from '../history/ahead.ts'

const pullRequestActions = [
  'submitted',
  'queued',
  'testing',
  'pending_failure',
  'tests_passed',
  'failed',
  'canceled',
  'merged',
] as const
const queueActions = ['created', 'updated', 'deleted'] as const

/** What happened to a pull request. */
export type PullRequestAction = (typeof pullRequestActions)[number]
export type QueueAction = (typeof queueActions)[number]
export type WebhookEventType =
  | `pull_request.${PullRequestAction}`
  | `pull_request_batch.${Exclude<PullRequestAction, 'submitted'>}`
  | `queue.${QueueAction}`

export const eventTypes: readonly string[] = [
  ...pullRequestActions.map((action) => `pull_request.${action}`),
  // A batch is formed from pull requests in the queue, so it is never submitted.
  ...pullRequestActions
    .filter((action) => action !== 'submitted')
    .map((action) => `pull_request_batch.${action}`),
  ...queueActions.map((action) => `queue.${action}`),
]

export function isEventType(value: unknown): value is WebhookEventType {
  return eventTypes.some((type) => type === value)
}

/** What a message says, without its queue, time and number. */
export type NoticeContent = {
  readonly type: WebhookEventType
  /** The pull requests that the message is about; none for a message about the queue. */
  readonly numbers: readonly number[]
  /** The pull request ahead that is the cause; absent: none is. */
  readonly ahead?: Ahead
  readonly fields: Readonly<
    Record<string, string | number | boolean | readonly number[] | readonly string[]>
  >
}

/** A notice with its number in its queue: from 1, without a gap. */
export type Notice = NoticeContent & { readonly sequence: number }
