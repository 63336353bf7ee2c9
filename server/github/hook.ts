/**
 * `POST /hooks/github`: proves that a webhook comes from GitHub, by its signature over the raw bytes, and
 * passes on where to look. It answers at once, because GitHub waits only 10 s and sends nothing again.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { verify } from '@octokit/webhooks-methods'
import type { Hint } from '../hosting/forge.ts'
import { send, sendError, type ErrorResponse } from '../http/answer.ts'
import type { BodyBudget } from '../http/limits.ts'
import { readBody } from '../http/read-body.ts'
import { hintOf } from './hint.ts'

export type HookPorts = {
  /** All that are valid now; more than one while a secret is being replaced. */
  readonly secrets: () => readonly string[]
  readonly hint: (repository: string, hint: Hint) => void
}

const notSigned: ErrorResponse = {
  status: 401,
  text: 'the signature in X-Hub-Signature-256 is missing or not made with our secret',
}

export async function answerHook(
  { secrets: secretsNow, hint }: HookPorts,
  budget: BodyBudget,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const secrets = secretsNow()
  if (secrets.length === 0) {
    sendError(response, { status: 404, text: 'no webhook secret is set, so none is accepted' })
    return
  }
  const signature = String(request.headers['x-hub-signature-256'] ?? '')
  // Nothing is read of what cannot be from GitHub.
  if (!/^sha256=[0-9a-f]{64}$/.test(signature)) {
    sendError(response, notSigned)
    return
  }
  const body = await readBody(request, budget)
  if (body.is === 'gone') return
  if (body.is === 'failed') {
    sendError(response, body.error)
    return
  }
  try {
    const text = body.bytes.toString('utf8')
    if (!(await isSigned(secrets, text, signature))) {
      sendError(response, notSigned)
      return
    }
    const event = String(request.headers['x-github-event'] ?? '')
    const payload = parsed(text)
    if (payload === undefined) {
      sendError(response, { status: 415, text: 'set the content type to application/json' })
      return
    }
    const found = hintOf(event, payload)
    if (found) hint(found.repository, found)
    send(response, 202, 'application/json; charset=utf-8', '{}')
  } finally {
    budget.giveBack(body.bytes.length)
  }
}

async function isSigned(
  secrets: readonly string[],
  text: string,
  signature: string,
): Promise<boolean> {
  for (const secret of secrets) if (await verify(secret, text, signature)) return true
  return false
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
