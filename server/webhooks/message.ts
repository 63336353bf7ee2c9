/** A message to webhooks: a numbered notice as JSON. */

import type { Actor, Millis } from '../../engine/index.ts'
import { nameOfQueue, type QueueRef } from '../identity/queue-ref.ts'
import type { WebhookEventType } from '../notices/event-types.ts'
import type { Notice } from '../notices/notice-content.ts'

export type Message = {
  /** Stable: the same each time the message is made or sent. */
  readonly id: string
  readonly type: WebhookEventType
  /** What it is about: each pull request, or the queue. */
  readonly lanes: readonly string[]
  /** The name of its queue. Messages of a queue are delivered in order. Missing in old outboxes. */
  readonly queue?: string
  /** Its number in the queue. Missing in old outboxes. */
  readonly sequence?: number
  /** The JSON text that is signed and sent. */
  readonly payload: string
}

export type Envelope = {
  readonly id: string
  readonly at: Millis
  readonly queue: QueueRef
  /** Who sent the command that the message is about. */
  readonly by: Actor | undefined
  /** Null: the server has no page that people can reach. */
  readonly pageUrl: string | null
}

export function messageOf(notice: Notice, { id, at, queue: ref, by, pageUrl }: Envelope): Message {
  const { type, numbers, fields, sequence } = notice
  const { host, owner, name, targetBranch } = ref
  const queue = nameOfQueue(ref)
  const payload = JSON.stringify({
    type,
    timestamp: new Date(at).toISOString(),
    repository: { host, owner, name },
    target_branch: targetBranch,
    sequence,
    ...(pageUrl === null ? {} : { page_url: pageUrl }),
    ...fields,
    ...(by === undefined ? {} : { by: { token: by.token, request: by.request } }),
  })
  const lanes = numbers.length > 0 ? numbers.map((number) => `${queue}#${number}`) : [queue]
  return { id, type, lanes, queue, sequence, payload }
}

/** The queue of a message, also of one from an old outbox. */
export function queueOf({ queue, lanes }: Message): string {
  return queue ?? (lanes[0] ?? '').replace(/#\d+$/, '')
}
