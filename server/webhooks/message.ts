/** A message to webhooks: a numbered notice as JSON. */

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { Actor, Millis, PullRequestNumber, RecordedCommand } from '../../engine/index.ts'
import { type QueueRef, nameOfQueue } from '../identity/queue-ref.ts'
import { type Notice, type WebhookEventType, isEventType } from '../notices/queue-notices.ts'
import type { AppliedCommand } from '../queues/publisher.ts'
import { whyMoved } from '../views/why.ts'
import { readJsonFile, replaceFile } from '../files/replace-file.ts'

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
  const { sequence, at, epoch, queue, notices, by, command } = applied
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

// The webhooks file: a JSON array of endpoints, each with the secret that signs its messages.

export type Endpoint = {
  readonly id: string
  /** Receives the messages; http or https. */
  readonly url: string
  /** `whsec_` and base64. */
  readonly secret: string
  /** The event types to send; null for all. */
  readonly events: readonly WebhookEventType[] | null
  /** ISO 8601. */
  readonly createdAt: string
  /** When an administrator last requested that undelivered messages be sent again. ISO 8601. */
  readonly resendWished?: string
  /** Whether private addresses are allowed. Missing in old files, where they are. */
  readonly allowPrivate?: boolean
}

/** Makes an endpoint with a new secret. */
export function makeEndpoint(
  url: string,
  events: readonly WebhookEventType[] | null,
  now: Date,
  allowPrivate = false,
): Endpoint {
  const secret = `whsec_${randomBytes(24).toString('base64')}`
  return { id: randomUUID(), url, secret, events, createdAt: now.toISOString(), allowPrivate }
}

/** True if the endpoint gets messages of that type. */
export function isSubscribedTo({ events }: Endpoint, { type }: Pick<Message, 'type'>): boolean {
  return events === null || events.includes(type)
}

/** Tells one address from another, without the secrets that it may contain. */
export function addressOf({ url }: Pick<Endpoint, 'url'>): string {
  return createHash('sha256').update(url).digest('hex')
}

function isEndpointUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

/** Returns the endpoints of a file; none if there is no file. Throws if the file is not valid. */
export function readEndpoints(path: string): Endpoint[] {
  return endpointsIn(readJsonFile(path, []), path)
}

/** Returns the endpoints of a list that was read. Throws if it is not valid. */
export function endpointsIn(found: unknown, place: string): Endpoint[] {
  if (Array.isArray(found) && found.every(isEndpoint)) return found
  throw new Error(
    `${place} is not a list of webhooks: expected [{ id, url, secret, events, createdAt }, ...], ` +
      'url with http or https, secret like whsec_..., events a list of event types or null',
  )
}

export async function writeEndpoints(path: string, endpoints: readonly Endpoint[]): Promise<void> {
  await replaceFile(path, [`${JSON.stringify(endpoints, null, 2)}\n`])
}

/** True for `whsec_` and the base64 of a key that signs. */
function isSecret(text: string): boolean {
  try {
    return /^whsec_./.test(text) && new Webhook(text) instanceof Webhook
  } catch {
    return false
  }
}

function isEndpoint(value: unknown): value is Endpoint {
  if (typeof value !== 'object' || value === null) return false
  const found: Partial<Record<keyof Endpoint, unknown>> = value
  const { id, url, secret, events, createdAt, resendWished = '', allowPrivate = true } = found
  return (
    [id, createdAt, resendWished].every((text) => typeof text === 'string') &&
    typeof allowPrivate === 'boolean' &&
    typeof url === 'string' &&
    isEndpointUrl(url) &&
    typeof secret === 'string' &&
    isSecret(secret) &&
    (events === null || (Array.isArray(events) && events.every(isEventType)))
  )
}
