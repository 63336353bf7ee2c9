/** The webhooks file: a JSON array of endpoints, each with the secret that signs its messages. */

import { randomBytes, randomUUID } from 'node:crypto'
import { readJsonFile } from '../files/json-file.ts'
import { replaceFile } from '../files/replace-file.ts'
import type { Message } from './message.ts'
import { isEventType, type WebhookEventType } from '../notices/event-types.ts'

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
    /^whsec_[A-Za-z0-9+/]+=*$/.test(secret) &&
    (events === null || (Array.isArray(events) && events.every(isEventType)))
  )
}
