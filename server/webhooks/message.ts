/** What is sent to a webhook: the body, and what it must stay in order with. */

import type { Millis } from '../../engine/index.ts'
import type { QueueRef } from '../yard/queue-ref.ts'
import type { EventType } from './event-types.ts'

export type Message = {
  /** The same however often it is made and sent. */
  readonly id: string
  readonly type: EventType
  /** Messages that share one are delivered in order: a lane for each pull request, one for the queue. */
  readonly lanes: readonly string[]
  /** The JSON text that is signed and sent. */
  readonly payload: string
}

/** What a message says, beyond where and when. */
export type Content = {
  readonly type: EventType
  /** The pull requests it is about, none for a queue's. */
  readonly numbers: readonly number[]
  readonly fields: Readonly<Record<string, string | number | boolean | readonly number[]>>
}

export function messageOf(
  { type, numbers, fields }: Content,
  { id, at, queue }: { readonly id: string; readonly at: Millis; readonly queue: QueueRef },
): Message {
  const { host, owner, name, targetBranch } = queue
  const place = `${host}/${owner}/${name}:${targetBranch}`
  const payload = JSON.stringify({
    type,
    timestamp: new Date(at).toISOString(),
    repository: { host, owner, name },
    target_branch: targetBranch,
    ...fields,
  })
  const lanes = numbers.length > 0 ? numbers.map((number) => `${place}#${number}`) : [place]
  return { id, type, lanes, payload }
}
