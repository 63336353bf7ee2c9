/**
 * What people do on the page: each action is an operation of the API, with the same scopes, checks and
 * answers, and the log says who did it.
 */

import type { IncomingMessage } from 'node:http'
import type { Caller } from '../auth/caller.ts'
import { openApi, scopesOf } from '../contract/openapi.ts'
import type { ErrorResponse } from '../http/answer.ts'
import { errorResponseOf } from '../operations/errors.ts'
import { contextOf, type ServerContext } from '../operations/context.ts'
import { perform } from '../operations/perform.ts'
import { unavailable } from '../operations/serve.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { StoreUnavailable, type Enter } from '../queues/entrance.ts'

type Fields = Readonly<Record<string, unknown>>
type Called = { readonly path: string; readonly body: Fields }

/** The operation of each action, and what its body has beside the queue. */
const actions: Readonly<Record<string, (act: Fields) => Called>> = {
  submit: ({ pr, number, noBatch }) => {
    const options = noBatch === undefined ? {} : { noBatch }
    return { path: '/submitPullRequest', body: { pr: pr ?? { number }, ...options } }
  },
  cancel: ({ number }) => ({ path: '/cancelPullRequest', body: { pr: { number } } }),
  restart: ({ number }) => ({ path: '/restartTestsOnPullRequest', body: { pr: { number } } }),
  priority: ({ number, priority }) => {
    return { path: '/submitPullRequest', body: { pr: { number }, priority } }
  },
  pause: () => ({ path: '/updateQueue', body: { state: 'PAUSED' } }),
  resume: () => ({ path: '/updateQueue', body: { state: 'RUNNING' } }),
  drain: () => ({ path: '/updateQueue', body: { state: 'DRAINING' } }),
  settings: ({ settings }) => ({ path: '/updateQueue', body: isFields(settings) ? settings : {} }),
}

export type ActParts = ServerContext & { readonly enter: Enter }

type Actor = { readonly caller: Caller; readonly request: IncomingMessage }

/** Carries out an action. Null: it is done, and on disk. A branch becomes a pull request first. */
export async function carryOut(
  parts: ActParts,
  { queue, act }: { readonly queue: ManagedQueue; readonly act: Fields },
  actor: Actor,
): Promise<ErrorResponse | null> {
  const make = actions[String(act['action'])]
  if (!make)
    return { status: 400, text: `action must be one of ${Object.keys(actions).join(', ')}` }
  const { action, branch } = act
  if (action !== 'submit' || branch === undefined) {
    const done = await operate(parts, queue, make(act), actor)
    return 'refused' in done ? done.refused : null
  }
  const opened = await operate(parts, queue, { path: '/openPullRequest', body: { branch } }, actor)
  if ('refused' in opened) return opened.refused
  const done = await operate(parts, queue, make({ ...act, ...opened.body }), actor)
  return 'refused' in done ? done.refused : null
}

/** Carries out an operation of the API on the queue. */
export async function operate(
  { enter, ...context }: ActParts,
  queue: ManagedQueue,
  { path, body }: Called,
  { caller, request }: Actor,
): Promise<{ readonly body: Fields } | { readonly refused: ErrorResponse }> {
  const definition = openApi.paths[path]?.post
  if (!definition) throw new Error(`there is no operation ${path}`)
  const scopes = scopesOf(definition)
  if (!scopes.includes(caller.scope)) {
    const text = `a token of scope ${caller.scope} may not do this: it needs ${scopes.join(' or ')}`
    return { refused: { status: 403, text } }
  }
  const { operationFor } = await import('../operations/index.ts')
  const { host, owner, name, targetBranch } = queue.ref
  const asked = { repo: { host, owner, name }, targetBranch, ...body }
  const { length } = JSON.stringify(asked)
  try {
    const checked = operationFor(definition)(asked, length)
    if ('faults' in checked) return { refused: { status: 400, text: checked.faults } }
    const outcome = await perform(checked.work, {
      enter,
      kind: scopes.includes('read') ? 'read' : 'write',
      contextOf: (manager) => contextOf(context, manager, { request, caller }),
    })
    if ('rejection' in outcome) return { refused: errorResponseOf(outcome.rejection) }
    return { body: 'body' in outcome ? { ...outcome.body } : {} }
  } catch (error) {
    if (error instanceof StoreUnavailable) return { refused: unavailable }
    throw error
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
