/**
 * The HTTP API as an Express app: its routes. The app does not listen, and its only state is the
 * memory budget of the bodies that are being read.
 */

import type { IncomingMessage, RequestListener } from 'node:http'
import express, { type Express } from 'express'
import type { Logger } from 'pino'
import { sees, type Caller } from './auth/tokens.ts'
import { send, sendJson, sendError, type ErrorResponse } from './http/answer.ts'
import type { RequestLogs } from './http/request-record.ts'
import { gateFor, tokenGate, type Gate, type GateParts } from './auth/gate.ts'
import { answerHook, type HookPorts } from './code-host/hook.ts'
import { serveDocs } from './http/docs.ts'
import { errorResponseOf } from './operations/operation.ts'
import { BodyBudget, HookBudgets, type RequestTimeouts } from './http/limits.ts'
import { once } from './files/turns.ts'
import { finished, guardUnknownPaths, route, type Handler, type Posts } from './http/route.ts'
import { unavailable, serve } from './operations/serve.ts'
import { openApi, scopesOf, type OperationObject } from './contract/openapi.ts'
import { queuesRequested } from './operations/get-merge-queue-metrics.ts'
import type { Hosting } from './hosting/hosting.ts'
import type { StateCase } from './views/state-case.ts'
import type * as wire from './contract/wire.ts'
import type { ManagedQueue } from './queues/managed-queue.ts'
import { StoreUnavailable, type Enter } from './queues/entrance.ts'

const base = '/v1'
const metricsPath = '/getMergeQueueMetrics'
const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

const healthy: wire.Health = { status: 'ok' }

export type AppOptions = RequestLogs & {
  readonly enter: Enter
  readonly gateParts: GateParts
  readonly logger: Logger
  readonly stateCase: StateCase
  /** The queues that this server works on itself. */
  readonly hosting: Hosting
  readonly timeouts: Pick<RequestTimeouts, 'hookMs'>
  /** Take the webhooks of code hosts. */
  readonly hooks: readonly HookPorts[]
  /**
   * The metrics of some queues in the Prometheus text format, and those of the server if `isWhole`.
   */
  readonly metricsOf: (
    queues: readonly ManagedQueue[],
    isWhole: boolean,
  ) => string | Promise<string>
  /** False once the server is stopping, or the command log cannot be written. */
  readonly isReady: () => boolean
  /** What `/readyz` tells an administrator although the server works. */
  readonly warnings: () => readonly string[]
  /** Adds the routes of the live page, if the server has one. */
  readonly servePages: (app: Express) => void
  /** The figures of the server itself in the Prometheus text format. */
  readonly figuresText: () => Promise<string>
}

/** Returns a request listener for all operations, the service endpoints and the documentation. */
export function createApp(options: AppOptions): RequestListener {
  const app = express()
  const budget = new BodyBudget()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.enable('case sensitive routing')
  app.enable('strict routing')
  const posts: Posts = new Map()
  addOperations(app, options, { posts, budget })
  // Strangers must not use up the memory of those who have a token.
  const { hookMs } = options.timeouts
  const ofHooks = { budgets: new HookBudgets(), hookMs }
  for (const hook of options.hooks) {
    const handle: Handler = (request, response) => answerHook(hook, ofHooks, request, response)
    route(app, { method: 'post', path: hook.path, handle }, posts)
  }
  const health: Handler = (_request, response) => sendJson(response, healthy)
  route(app, { method: 'get', path: '/healthz', handle: health })
  const readiness: Handler = (_request, response) => {
    const warnings = [...options.warnings()]
    const ready: wire.Health = warnings.length > 0 ? { ...healthy, warnings } : healthy
    if (options.isReady()) sendJson(response, ready)
    else sendError(response, { status: 503, text: 'the server is stopping' })
  }
  route(app, { method: 'get', path: '/readyz', handle: readiness })
  serveFigures(app, options)
  serveDocs(app)
  options.servePages(app)
  const { logger, accessLog, onRequest } = options
  return finished(app, { logger, accessLog, onRequest, posts })
}

/** any token for all repositories looks, also one in `Authorization`, as scrapers send it. */
function serveFigures(app: Express, { gateParts, figuresText }: AppOptions): void {
  const gate = tokenGate(gateParts, true)
  const handle: Handler = async (request, response) => {
    const { caller, denied } = gate(request)
    if (denied) sendError(response, denied)
    else if (caller.repos !== null) sendError(response, notForAPart)
    else send(response, 200, metricsType, await figuresText())
  }
  route(app, { method: 'get', path: '/metrics', handle, checkToken: deniedBy(gate) })
}

const notForAPart: ErrorResponse = {
  status: 403,
  text: 'these figures are about the whole server: a token without --repo is needed',
}

type Shared = { readonly posts: Posts; readonly budget: BodyBudget }

/** Adds a route for each operation. Without a valid token every path below `base` is 401. */
function addOperations(app: Express, options: AppOptions, { posts, budget }: Shared): void {
  const checkToken = deniedBy(tokenGate(options.gateParts))
  for (const [operationPath, { post, get }] of Object.entries(openApi.paths)) {
    const path = base + operationPath
    if (post) {
      const handle = operationHandler(post, options, budget)
      route(app, { method: 'post', path, handle, checkToken }, posts)
    }
    if (get && operationPath === metricsPath) {
      const handle = metricsHandler(get, options)
      const checkBearer = deniedBy(tokenGate(options.gateParts, true))
      route(app, { method: 'get', path, handle, checkToken: checkBearer })
    }
  }
  guardUnknownPaths(app, base, checkToken)
}

function operationHandler(
  definition: OperationObject,
  { enter, gateParts, stateCase, hosting }: AppOptions,
  budget: BodyBudget,
): Handler {
  const scopes = scopesOf(definition)
  const options = {
    context: { stateCase, hosting, enter },
    // Only what reads is allowed to a token that reads.
    kind: scopes.includes('read') ? 'read' : 'write',
    gate: gateFor(gateParts, { scopes }),
    refusals: gateParts.refusals,
    budget,
    operation: once(async () => {
      const { operationFor } = await import('./operations/index.ts')
      return operationFor(definition)
    }),
  } as const
  return (request, response) => serve(options, request, response)
}

function metricsHandler(
  definition: OperationObject,
  { enter, gateParts, metricsOf }: AppOptions,
): Handler {
  // Older scrapers cannot send custom headers.
  const gate = gateFor(gateParts, { scopes: scopesOf(definition), takesBearer: true })
  return async (request, response) => {
    const { caller, denied } = gate(request)
    if (denied) {
      sendError(response, denied)
      return
    }
    const [, ...query] = (request.url ?? '').split('?')
    const isSeen = ({ ref }: ManagedQueue): boolean => sees(caller, ref)
    const selection = new URLSearchParams(query.join('?'))
    try {
      const found = await enter('read', async ({ registry }) => {
        const requested = queuesRequested(registry, selection, isSeen)
        if ('rejection' in requested) return requested
        return { text: await metricsOf(requested.queues, isForWhole(caller, selection)) }
      })
      if ('rejection' in found) sendError(response, errorResponseOf(found.rejection))
      else send(response, 200, metricsType, found.text)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      sendError(response, unavailable)
    }
  }
}

/** The figures of the server tell about all repositories. */
function isForWhole({ repos }: Caller, selection: URLSearchParams): boolean {
  return repos === null && !selection.has('repo') && !selection.has('repoHost')
}

function deniedBy(gate: Gate): (request: IncomingMessage) => ErrorResponse | null {
  return (request) => gate(request).denied
}
