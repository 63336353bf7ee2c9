/**
 * What people do on the page: each action is an operation of the API, with the same scopes, checks and
 * answers, and the log says who did it.
 */

import type { IncomingMessage } from 'node:http'
import { wrongScope } from '../auth/gate.ts'
import type { Caller } from '../auth/tokens.ts'
import { openApi, scopesOf } from '../contract/openapi.ts'
import type { ErrorResponse } from '../http/answer.ts'
import { perform, readJson, type ServerContext } from '../operations/serve.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { BodyBudget } from '../http/limits.ts'
import type { Act } from './frame.ts'

type Fields = Readonly<Record<string, unknown>>
type Called = { readonly path: string; readonly body: Fields }
type Actor = { readonly caller: Caller; readonly request: IncomingMessage }

/** What the page may ask for. */
const operations: Readonly<Record<Act['operation'], true>> = {
  submitPullRequest: true,
  cancelPullRequest: true,
  restartTestsOnPullRequest: true,
  updateQueue: true,
}

/** Carries out an action. Null: it is done, and on disk. A branch becomes a pull request first. */
export async function carryOut(
  parts: ServerContext,
  queue: ManagedQueue,
  act: Fields,
  actor: Actor,
): Promise<ErrorResponse | null> {
  const { operation } = act
  if (typeof operation !== 'string' || !Object.hasOwn(operations, operation)) {
    return { status: 400, text: `operation must be one of ${Object.keys(operations).join(', ')}` }
  }
  const { branch, ...body } = isFields(act['body']) ? act['body'] : {}
  const isBranch = operation === 'submitPullRequest' && branch !== undefined
  const open = { path: '/openPullRequest', body: { branch } }
  const opened = isBranch ? await operate(parts, queue, open, actor) : { body: {} }
  if ('refused' in opened) return opened.refused
  const called = { path: `/${operation}`, body: { ...body, ...opened.body } }
  const done = await operate(parts, queue, called, actor)
  return 'refused' in done ? done.refused : null
}

/** Carries out an operation of the API on the queue. */
export async function operate(
  parts: ServerContext,
  queue: ManagedQueue,
  { path, body }: Called,
  { caller, request }: Actor,
): Promise<{ readonly body: Fields } | { readonly refused: ErrorResponse }> {
  const definition = openApi.paths[path]?.post
  if (!definition) throw new Error(`there is no operation ${path}`)
  const scopes = scopesOf(definition)
  if (!scopes.includes(caller.scope)) {
    return { refused: wrongScope(caller.scope, scopes) }
  }
  const { operationFor } = await import('../operations/index.ts')
  const { host, owner, name, targetBranch } = queue.ref
  // Settings that name another queue do not change it.
  const asked = { ...body, repo: { host, owner, name }, targetBranch }
  const performed = await perform(parts, operationFor(definition), {
    value: asked,
    length: JSON.stringify(asked).length,
    request,
    caller,
    kind: scopes.includes('read') ? 'read' : 'write',
  })
  if ('error' in performed) return { refused: performed.error }
  return { body: 'body' in performed ? { ...performed.body } : {} }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// Reads the small JSON bodies of the page.

type Read = { readonly fields: Fields }

const budget = new BodyBudget()
const gone: ErrorResponse = { status: 400, text: 'the request was not sent completely' }

/** A form of another site cannot send this content type without being asked first. */
export async function readFields(request: IncomingMessage): Promise<Read | ErrorResponse> {
  const read = await readJson(request, budget)
  if (!read) return gone
  if ('error' in read) return read.error
  budget.giveBack(read.length)
  const { value } = read
  return isFields(value) ? { fields: value } : { status: 400, text: 'the body must be an object' }
}
