/**
 * The HTTP API as an Express app: which path leads where. It listens to nothing, and holds no
 * state of its own but what the bodies under way take.
 */

import type { RequestListener } from 'node:http'
import express from 'express'
import type { Logger } from 'pino'
import { gateFor } from './auth/gate.ts'
import type { Auth } from './auth/token-file.ts'
import { serveDocs } from './docs.ts'
import { refusalOf } from './errors.ts'
import { send, sendJson, sendRefusal } from './http/answer.ts'
import { BodyBudget } from './http/limits.ts'
import { once } from './once.ts'
import { finished, route, type Handler } from './http/route.ts'
import { serve } from './http/serve.ts'
import { openApi, scopesOf, type OperationObject } from './openapi.ts'
import { queuesAskedFor } from './operations/get-merge-queue-metrics.ts'
import type { StateCase } from './views/state-case.ts'
import type * as wire from './wire.ts'
import type { YardQueue } from './yard/yard-queue.ts'
import type { Yard } from './yard/yard.ts'

const base = '/v1'
const metricsPath = '/getMergeQueueMetrics'
const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

const healthy: wire.Health = { status: 'ok' }

export type AppOptions = {
  readonly yard: Yard
  readonly auth: Auth
  readonly logger: Logger
  readonly stateCase: StateCase
  /** The metrics of some queues in the Prometheus text format. */
  readonly metricsOf: (queues: readonly YardQueue[]) => string | Promise<string>
  /** False once the server is about to stop, or nothing can be written any more. */
  readonly isReady: () => boolean
}

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
    else sendRefusal(response, { status: 503, text: 'the server is stopping' })
  })
  serveDocs(app)
  return finished(app, options.logger)
}

function operationHandler(
  definition: OperationObject,
  { yard, auth, stateCase }: AppOptions,
  budget: BodyBudget,
): Handler {
  const served = {
    context: { yard, stateCase },
    gate: gateFor(auth, { scopes: scopesOf(definition) }),
    budget,
    operation: once(async () => {
      const { operationFor } = await import('./operations/index.ts')
      return operationFor(definition)
    }),
  }
  return (request, response) => serve(served, request, response)
}

function metricsHandler(
  definition: OperationObject,
  { yard, auth, metricsOf }: AppOptions,
): Handler {
  // Older scrapers cannot send a header of their own.
  const gate = gateFor(auth, { scopes: scopesOf(definition), takesBearer: true })
  return async (request, response) => {
    const closed = gate(request.headers)
    if (closed) {
      sendRefusal(response, closed)
      return
    }
    const [, ...query] = request.url.split('?')
    const { queues, rejection } = queuesAskedFor(
      yard.register,
      new URLSearchParams(query.join('?')),
    )
    const text = rejection ? '' : await metricsOf(queues)
    await yard.durable()
    if (rejection) sendRefusal(response, refusalOf(rejection))
    else send(response, 200, metricsType, text)
  }
}
