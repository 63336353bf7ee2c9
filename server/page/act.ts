/**
 * What people do on the page: each action is an operation of the API, with the same scopes, checks and
 * answers, and the log says who did it.
 */

import type { IncomingMessage } from 'node:http'
import type { Caller } from '../auth/caller.ts'
import { openApi, scopesOf } from '../contract/openapi.ts'
import type { ErrorResponse } from '../http/answer.ts'
import { recordOf } from '../http/request-record.ts'
import { errorResponseOf } from '../operations/errors.ts'
import type { Context } from '../operations/operation.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { QueueManager } from '../queues/queue-manager.ts'

type Fields = Readonly<Record<string, unknown>>
type Called = { readonly path: string; readonly body: Fields }

/** The operation of each action, and what its body has beside the queue. */
const actions: Readonly<Record<string, (act: Fields) => Called>> = {
  submit: ({ number, noBatch }) => {
    const options = noBatch === undefined ? {} : { noBatch }
    return { path: '/submitPullRequest', body: { pr: { number }, ...options } }
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

export type ActParts = Pick<Context, 'stateCase' | 'hosting'> & { readonly manager: QueueManager }

/** Carries out an action. Null: it is done, and on disk. */
export async function carryOut(
  { manager, stateCase, hosting }: ActParts,
  { queue, act }: { readonly queue: ManagedQueue; readonly act: Fields },
  { caller, request }: { readonly caller: Caller; readonly request: IncomingMessage },
): Promise<ErrorResponse | null> {
  const make = actions[String(act['action'])]
  if (!make)
    return { status: 400, text: `action must be one of ${Object.keys(actions).join(', ')}` }
  const { path, body } = make(act)
  const definition = openApi.paths[path]?.post
  if (!definition) throw new Error(`there is no operation ${path}`)
  const scopes = scopesOf(definition)
  if (!scopes.includes(caller.scope)) {
    const text = `a token of scope ${caller.scope} may not do this: it needs ${scopes.join(' or ')}`
    return { status: 403, text }
  }
  const { operationFor } = await import('../operations/index.ts')
  const actor = { token: caller.name, request: recordOf(request).id }
  const context: Context = {
    manager: {
      registry: manager.registry,
      send: (name, command) => manager.send(name, command, actor),
    },
    caller,
    stateCase,
    hosting,
  }
  const { host, owner, name, targetBranch } = queue.ref
  const asked = { repo: { host, owner, name }, targetBranch, ...body }
  const outcome = await operationFor(definition)(context, asked, JSON.stringify(asked).length)
  await manager.durable()
  if ('faults' in outcome) return { status: 400, text: outcome.faults }
  return 'rejection' in outcome ? errorResponseOf(outcome.rejection) : null
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
