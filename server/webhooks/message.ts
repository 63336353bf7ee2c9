/** A message to webhooks: its body, and the keys of its order. */

import type { Millis } from '../../engine/index.ts'
import type { QueueRef } from '../identity/queue-ref.ts'
import type { WebhookEventType } from './event-types.ts'

export type Message = {
  /** Stable: the same each time the message is made or sent. */
  readonly id: string
  readonly type: WebhookEventType
  /** Messages with a common key are delivered in order: a key per pull request or for the queue. */
  readonly lanes: readonly string[]
  /** The JSON text that is signed and sent. */
  readonly payload: string
}

/** The fields of a message without its queue and time. */
export type MessageContent = {
  readonly type: WebhookEventType
  /** The pull requests that the message is about; none for a message about the queue. */
  readonly numbers: readonly number[]
  readonly fields: Readonly<Record<string, string | number | boolean | readonly number[]>>
}

export function messageOf(
  { type, numbers, fields }: MessageContent,
  { id, at, queue }: { readonly id: string; readonly at: Millis; readonly queue: QueueRef },
): Message {
  const { host, owner, name, targetBranch } = queue
  const queueKey = `${host}/${owner}/${name}:${targetBranch}`
  const payload = JSON.stringify({
    type,
    timestamp: new Date(at).toISOString(),
    repository: { host, owner, name },
    target_branch: targetBranch,
    ...fields,
  })
  const lanes = numbers.length > 0 ? numbers.map((number) => `${queueKey}#${number}`) : [queueKey]
  return { id, type, lanes, payload }
}
