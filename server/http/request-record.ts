/**
 * What the server notes about a request while it is handled: its id, which the response, the log and
 * the recorded command carry, and who sent it. Never the secret of a token, and no body.
 */

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export type RequestRecord = {
  readonly id: string
  /** The path of the route, not that of the request; null if no route fits. */
  route: string | null
  /** The name of the token; null if none was accepted. */
  token: string | null
}

const records = new WeakMap<IncomingMessage, RequestRecord>()

/** Ids are always drawn here: one from a client could repeat, or say anything. */
export function recordOf(request: IncomingMessage): RequestRecord {
  const known = records.get(request)
  if (known) return known
  const record: RequestRecord = { id: randomUUID(), route: null, token: null }
  records.set(request, record)
  return record
}
