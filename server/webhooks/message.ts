/** A message to webhooks: a numbered notice as JSON. */

import type { Actor, Millis, PullRequestNumber, RecordedCommand } from '../../engine/index.ts'
import { type QueueRef, nameOfQueue } from '../identity/queue-ref.ts'
import type { Notice, WebhookEventType } from '../notices/event-types.ts'
import type { AppliedCommand } from '../queues/publisher.ts'
import { whyMoved } from '../views/why.ts'

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

type Envelope = {
  readonly id: string
  readonly at: Millis
  readonly queue: QueueRef
  /** Who sent the command that the message is about. */
  readonly by: Actor | undefined
  /** Null: the server has no page that people can reach. */
  readonly pageUrl: string | null
  /** A sentence; null: there is no reason beyond what has happened. */
  readonly why: string | null
}

function messageOf(notice: Notice, { id, at, queue: ref, by, pageUrl, why }: Envelope): Message {
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
    ...(why === null ? {} : { why }),
    ...(by === undefined ? {} : { by: { token: by.token, request: by.request } }),
  })
  const lanes = numbers.length > 0 ? numbers.map((number) => `${queue}#${number}`) : [queue]
  return { id, type, lanes, queue, sequence, payload }
}

/** The queue of a message, also of one from an old outbox. */
export function queueOf({ queue, lanes }: Message): string {
  return queue ?? (lanes[0] ?? '').replace(/#\d+$/, '')
}

/** The page about a pull request, or about the queue; null if people cannot reach one. */
export type PageOf = (queue: QueueRef, number: PullRequestNumber | null) => string | null

/**
 * Returns the messages about a command. Its notices are a fold of the command log, so messages that a
 * crash lost are made again with the same ids and the same bytes. `origin` makes ids unique among servers.
 */
export function messagesOf(
  applied: AppliedCommand,
  origin: string,
  pageOf: PageOf = () => null,
): Message[] {
  const { sequence, at, epoch = null, queue, notices, by, command } = applied
  if (queue === null) return []
  const place = epoch === null ? `${sequence}` : `${epoch}_${sequence}`
  return notices.map((notice, index) => {
    const { numbers } = notice
    const pageUrl = pageOf(queue, numbers.length === 1 ? (numbers[0] ?? null) : null)
    const why = whyIn(notice, command)
    return messageOf(notice, { id: `msg_${origin}_${place}_${index}`, at, queue, by, pageUrl, why })
  })
}

function whyIn({ fields, numbers, ahead }: Notice, command: RecordedCommand): string | null {
  const [, reason] = Object.entries(fields).find(([name]) => name.endsWith('_reason')) ?? []
  if (typeof reason !== 'string') return null
  const isOfWords = 'words' in command && numbers.includes(command.number)
  return whyMoved(reason, { words: isOfWords ? command.words : undefined, ahead })
}
