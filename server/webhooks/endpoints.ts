/** The webhooks file: a JSON array of who is told what happens, each with the secret to sign with. */

import { randomBytes, randomUUID } from 'node:crypto'
import { readJsonFile } from '../store/json-file.ts'
import { replaceFile } from '../store/replace-file.ts'
import { isEventType, type EventType } from './event-types.ts'

export type Endpoint = {
  readonly id: string
  /** Where it listens: http or https. */
  readonly url: string
  /** `whsec_` and base64. */
  readonly secret: string
  /** What it wants to be told; null: everything. */
  readonly events: readonly EventType[] | null
  /** ISO 8601. */
  readonly createdAt: string
  /** When somebody last wished that what could not be delivered be sent again. ISO 8601. */
  readonly resendWished?: string
}

/** A new endpoint, with a secret of its own. */
export function makeEndpoint(
  url: string,
  events: readonly EventType[] | null,
  now: Date,
): Endpoint {
  const secret = `whsec_${randomBytes(24).toString('base64')}`
  return { id: randomUUID(), url, secret, events, createdAt: now.toISOString() }
}

export function isEndpointUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

/** The endpoints of a file, none where there is no file. Throws for a file that is no list of them. */
export function readEndpoints(path: string): Endpoint[] {
  const found = readJsonFile(path, [])
  if (Array.isArray(found) && found.every(isEndpoint)) return found
  throw new Error(
    `${path} is not a list of webhooks: [{ id, url, secret, events, createdAt }, ...] was expected, ` +
      'url with http or https, secret like whsec_..., events a list of event types or null',
  )
}

export async function writeEndpoints(path: string, endpoints: readonly Endpoint[]): Promise<void> {
  await replaceFile(path, [`${JSON.stringify(endpoints, null, 2)}\n`])
}

function isEndpoint(value: unknown): value is Endpoint {
  if (typeof value !== 'object' || value === null) return false
  const found: Partial<Record<keyof Endpoint, unknown>> = value
  const { id, url, secret, events, createdAt, resendWished = '' } = found
  return (
    [id, createdAt, resendWished].every((text) => typeof text === 'string') &&
    typeof url === 'string' &&
    isEndpointUrl(url) &&
    typeof secret === 'string' &&
    /^whsec_[A-Za-z0-9+/]+=*$/.test(secret) &&
    (events === null || (Array.isArray(events) && events.every(isEventType)))
  )
}
