/**
 * The HTTP API as an Express app: its routes. The app does not listen, and its only state is the
 * memory budget of the bodies that are being read.
 */

import type { RequestListener } from 'node:http'
import express from 'express'
import type { Logger } from 'pino'
import { gateFor } from './auth/gate.ts'
import type { Auth } from './auth/token-file.ts'
import { serveDocs } from './http/docs.ts'
import { errorResponseOf } from './operations/errors.ts'
import { send, sendJson, sendError } from './http/answer.ts'
import { BodyBudget } from './http/limits.ts'
import { once } from './http/once.ts'
import { finished, route, type Handler } from './http/route.ts'
import { serve } from './operations/serve.ts'
import { openApi, scopesOf, type OperationObject } from './contract/openapi.ts'
import { queuesRequested } from './operations/get-merge-queue-metrics.ts'
import type { StateCase } from './views/state-case.ts'
import type * as wire from './contract/wire.ts'
import type { ManagedQueue } from './queues/managed-queue.ts'
import type { QueueManager } from './queues/queue-manager.ts'

const base = '/v1'
const metricsPath = '/getMergeQueueMetrics'
const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

const healthy: wire.Health = { status: 'ok' }

export type AppOptions = {
  readonly manager: QueueManager
  readonly auth: Auth
  readonly logger: Logger
  readonly stateCase: StateCase
  /** The metrics of some queues in the Prometheus text format. */
  readonly metricsOf: (queues: readonly ManagedQueue[]) => string | Promise<string>
  /** False once the server is stopping, or the command log cannot be written. */
  readonly isReady: () => boolean
}

/** Returns a request listener for all operations, the service endpoints and the documentation. */
export function createApp(options: AppOptions): RequestListener {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.enable('case sensitive routing')
  app.enable('strict routing')
  const budget = new BodyBudget()
  for (const [path, { post, get }] of Object.entries(openApi.paths)) {
    if (post) route(app, 'post', base + path, operationHandler(post, options, budget))
    if (get && path === metricsPath) {
      route(app, 'get', base + path, metricsHandler(get, options))
    }
  }
  route(app, 'get', '/healthz', (_request, response) => sendJson(response, healthy))
  route(app, 'get', '/readyz', (_request, response) => {
    if (options.isReady()) sendJson(response, healthy)
    else sendError(response, { status: 503, text: 'the server is stopping' })
  })
  serveDocs(app)
  return finished(app, options.logger)
}

function operationHandler(
  definition: OperationObject,
  { manager, auth, stateCase }: AppOptions,
  budget: BodyBudget,
): Handler {
  const options = {
    context: { manager, stateCase },
    gate: gateFor(auth, { scopes: scopesOf(definition) }),
    budget,
    operation: once(async () => {
      const { operationFor } = await import('./operations/index.ts')
      return operationFor(definition)
    }),
  }
  return (request, response) => serve(options, request, response)
}

function metricsHandler(
  definition: OperationObject,
  { manager, auth, metricsOf }: AppOptions,
): Handler {
  // Older scrapers cannot send custom headers.
  const gate = gateFor(auth, { scopes: scopesOf(definition), takesBearer: true })
  return async (request, response) => {
    const denied = gate(request.headers)
    if (denied) {
      sendError(response, denied)
      return
    }
    const [, ...query] = request.url.split('?')
    const { queues, rejection } = queuesRequested(
      manager.registry,
      new URLSearchParams(query.join('?')),
    )
    const text = rejection ? '' : await metricsOf(queues)
    await manager.durable()
    if (rejection) sendError(response, errorResponseOf(rejection))
    else send(response, 200, metricsType, text)
  }
}
