/**
 * `POST /hooks/github` and its like: proves that a webhook comes from the host, and passes on what to poll. It
 * answers at once, because hosts wait only some seconds, and some send nothing again.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HookNotification } from '../hosting/code-host.ts'
import { send, sendError, type ErrorResponse } from '../http/answer.ts'
import { hooksOfAddressBytes, type HookBudgets } from '../http/limits.ts'
import { readBody } from '../http/read-body.ts'
import { type Json, recordIn, textIn } from './rest.ts'

export type NamedNotification = HookNotification & {
  /** `owner/name`. */
  readonly repository: string
}

/** How a kind of host proves its webhooks, and what they say to poll. */
export type HookDialect = {
  /** What is wrong with a webhook without a proof, for people. */
  readonly unproven: string
  /** The header with the proof, in small letters. */
  readonly proofHeader: string
  /** Of one without such a proof nothing is read, because it cannot be from the host. */
  readonly proof: RegExp
  readonly isProven: (secret: string, proof: string, text: string) => boolean | Promise<boolean>
  /** The header that names the event, in small letters. */
  readonly eventHeader: string
  /** Where the payload names the repository: an object in it, and the field `owner/name` of that. */
  readonly repository: readonly [string, string]
  /** Nothing else is read of it: the API says what is true. Null: it is about nothing that a queue polls. */
  readonly about: (event: string, payload: Json) => Partial<HookNotification> | null
}

/** What a webhook says to poll; null: nothing. */
export function notificationOf(
  { repository: [object, field], about }: HookDialect,
  event: string,
  payload: unknown,
): NamedNotification | null {
  const root = recordIn(payload)
  const repository = textIn(recordIn(root[object])[field])
  const found = repository === '' ? null : about(event, root)
  return found && { repository, pulls: [], commits: [], hasComment: false, ...found }
}

export type HookPorts = {
  readonly path: string
  readonly dialect: HookDialect
  /** All that are valid now; more than one while a secret is being replaced. */
  readonly secrets: () => readonly string[]
  readonly notify: (repository: string, notification: HookNotification) => void
}

export type HookLimits = {
  readonly budgets: HookBudgets
  /** How long a webhook may take to arrive. */
  readonly hookMs: number
}

export async function answerHook(
  { dialect, secrets: secretsNow, notify }: HookPorts,
  { budgets, hookMs }: HookLimits,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const secrets = secretsNow()
  if (secrets.length === 0) {
    sendError(response, { status: 404, text: 'no webhook secret is set, so none is accepted' })
    return
  }
  const { headers } = request
  const unproven: ErrorResponse = { status: 401, text: dialect.unproven }
  const proof = String(headers[dialect.proofHeader] ?? '')
  if (!dialect.proof.test(proof)) {
    sendError(response, unproven)
    return
  }
  const budget = budgets.of(request.socket.remoteAddress ?? '')
  const overdue = setTimeout(() => request.destroy(), hookMs)
  const body = await readBody(request, budget, hooksOfAddressBytes)
  clearTimeout(overdue)
  if (body.is === 'gone') return
  if (body.is === 'failed') {
    sendError(response, body.error)
    return
  }
  try {
    const text = body.bytes.toString('utf8')
    if (!(await isProven(secrets, (secret) => dialect.isProven(secret, proof, text)))) {
      sendError(response, unproven)
      return
    }
    const event = String(headers[dialect.eventHeader] ?? '')
    const payload = parsed(text)
    if (payload === undefined) {
      sendError(response, { status: 415, text: 'set the content type to application/json' })
      return
    }
    const found = notificationOf(dialect, event, payload)
    if (found) notify(found.repository, found)
    send(response, 202, 'application/json; charset=utf-8', '{}')
  } finally {
    budget.giveBack(body.bytes.length)
  }
}

async function isProven(
  secrets: readonly string[],
  by: (secret: string) => boolean | Promise<boolean>,
): Promise<boolean> {
  for (const secret of secrets) if (await by(secret)) return true
  return false
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
