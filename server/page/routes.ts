/** The routes of the live page and the playground. All data comes from `/page/`, where the cookie counts. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Express, NextFunction, Request, Response } from 'express'
import { whoHas } from '../auth/gate.ts'
import { type Caller, sees } from '../auth/tokens.ts'
import { type ErrorResponse, send, sendError } from '../http/answer.ts'
import { recordOf } from '../http/request-record.ts'
import { serveFolder } from '../http/serve-folder.ts'
import { type Handler, route, routePage } from '../http/route.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { carryOut, operate, readFields } from './act.ts'
import type { Me } from './frame.ts'
import type { PageParts } from './live-page.ts'
import type { Audience } from './view.ts'
import { glanceOf } from './picture.ts'
import { pullRequestPage, runPage } from './pull-request-page.ts'
import { mostHours, trendsOf } from './trends.ts'
import { cookieHeader, cookieIn, foreignRequest } from './sessions.ts'

const signInFirst: ErrorResponse = { status: 401, text: 'sign in first' }
const noQueue: ErrorResponse = { status: 404, text: 'there is no such queue, or it is not shown' }

/** Who asks for what. */
type Visit = {
  readonly caller: Caller | null
  /** Null: nothing is shown without a sign-in. */
  readonly audience: Audience | null
  readonly query: URLSearchParams
  /** The text of the cookie; empty if there is none. */
  readonly cookie: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

type VisitOfQueue = Visit & { readonly queue: ManagedQueue; readonly audience: Audience }

/** JSON, or an error; null if it has answered by itself. */
type Answered = object | null

export function servePages(app: Express, parts: PageParts): void {
  serveFiles(app, parts)
  const { feed } = parts
  const serve =
    (method: 'get' | 'post') =>
    (path: string, answer: (visit: Visit) => Answered | Promise<Answered>): void => {
      const handle: Handler = async (request, response) => {
        const refused = foreignRequest(request, parts.publicHost)
        const answered = refused ?? (await answer(await visitOf(parts, request, response)))
        if (answered === null) return
        if (isError(answered)) sendPageError(response, answered)
        else sendPage(response, 200, answered)
      }
      route(app, { method, path, handle })
    }
  const [get, post] = [serve('get'), serve('post')]
  get('/page/me', ({ caller }): Me => {
    const { publicPage } = parts
    const scopes = caller ? [caller.scope] : []
    return { signedIn: caller !== null, tokenName: caller?.name ?? null, scopes, publicPage }
  })
  get('/page/queues', (visit) => {
    const { audience } = visit
    if (!audience) return signInFirst
    const queues = [...parts.registry().queues].filter((queue) => isSeen(visit, queue))
    return { queues: queues.map((queue) => glanceOf(queue, feed.parts, audience)) }
  })
  get('/page/trends', ofQueue(parts, trends))
  get('/page/pull-request', ofQueue(parts, pullRequest))
  get('/page/run', ofQueue(parts, run))
  get('/page/stream', ofQueue(parts, stream))
  post('/page/act', ofQueue(parts, act))
  post('/page/sign-in', (visit) => signIn(parts, visit))
  post('/page/sign-out', (visit) => signOut(parts, visit))
  serveOtherPaths(app, parts)
}

async function visitOf(
  { sessions, isSecure, publicPage }: PageParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Visit> {
  const cookie = cookieIn(request, isSecure)
  await sessions.meet(cookie)
  const caller = cookie === '' ? null : sessions.callerOf(cookie)
  if (caller) recordOf(request).token = caller.name
  const audience = caller ? 'member' : publicPage ? 'public' : null
  const query = new URLSearchParams((request.url ?? '').split('?')[1])
  return { caller, audience, query, cookie, request, response }
}

function isSeen({ caller }: Visit, { ref }: ManagedQueue): boolean {
  return caller === null || sees(caller, ref)
}

/** A queue that is not shown to the visitor is answered like one that does not exist. */
const ofQueue =
  (
    parts: PageParts,
    answer: (parts: PageParts, visit: VisitOfQueue) => Answered | Promise<Answered>,
  ) =>
  (visit: Visit): Answered | Promise<Answered> => {
    const { audience, query } = visit
    if (!audience) return signInFirst
    const id = query.get('queue')
    const registry = parts.registry()
    const found = [...registry.queues].find(({ ids }) => ids.start === id)
    if (!found || !isSeen(visit, found)) return noQueue
    registry.refuseStopped(found.name)
    return answer(parts, { ...visit, queue: found, audience })
  }

function trends(parts: PageParts, { queue, audience, query }: VisitOfQueue): Answered {
  const hours = Number(query.get('hours') ?? 24)
  if (!Number.isInteger(hours) || hours < 1 || hours > mostHours) {
    return { status: 400, text: `hours must be a whole number from 1 to ${mostHours}` }
  }
  const { testCases } = parts.registry()
  return trendsOf(queue, { hours, now: parts.now(), audience, testCases })
}

function pullRequest({ feed }: PageParts, { queue, audience, query }: VisitOfQueue): Answered {
  const found = queue.engine.queue.pullRequests[Number(query.get('number'))]
  if (!found) return { status: 404, text: 'this pull request was never submitted' }
  return pullRequestPage(queue, found, { parts: feed.parts, audience })
}

/** The output is that of `getTestRunLog`, and so is the sentence if there is none. */
async function run(parts: PageParts, visit: VisitOfQueue): Promise<Answered> {
  const { caller, request, queue } = visit
  const page = runPage(queue, Number(visit.query.get('run')))
  if (!caller) return signInFirst
  if (!page) return { status: 404, text: 'there is no such run, or it is no longer kept' }
  const called = { path: '/getTestRunLog', body: { testRunId: page.run.id } }
  const found = await operate(parts, queue, called, { caller, request })
  if ('refused' in found) return { ...page, log: '', bytes: 0, noLog: found.refused.text }
  const { log, bytes } = found.body
  return { ...page, log: String(log), bytes: Number(bytes), noLog: null }
}

function stream({ feed, sessions, registry }: PageParts, visit: VisitOfQueue): Answered {
  const { queue, audience, cookie: visitor, response } = visit
  const why = feed.whyFullFor(visitor)
  // A page tries again by itself.
  if (why !== null) return { status: 503, text: why, retryAfter: 10 }
  const isAllowed = (): boolean => {
    if (!registry().findRunning(queue.name)) return false
    if (audience === 'public') return true
    const caller = sessions.watcherOf(visitor)
    return caller !== null && sees(caller, queue.ref)
  }
  feed.watch(response, queue, { audience, visitor, isAllowed })
  return null
}

async function act(parts: PageParts, visit: VisitOfQueue): Promise<Answered> {
  const { caller, queue, request } = visit
  if (!caller) return signInFirst
  const read = await readFields(request)
  if ('status' in read) return read
  return (await carryOut(parts, queue, read.fields, { caller, request })) ?? {}
}

function isError(answered: object): answered is ErrorResponse {
  return 'status' in answered && 'text' in answered
}

function sendPage(response: ServerResponse, status: number, body: object): void {
  response.setHeader('Cache-Control', 'no-store')
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(body))
}

/** JSON too, because the page shows the text. */
export function sendPageError(
  response: ServerResponse,
  { status, text, retryAfter }: ErrorResponse,
): void {
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter)
  sendPage(response, status, { error: text })
}

// Sign-in with a token, and sign-out. The page never keeps the token: it gets a cookie for it.

async function signIn(parts: PageParts, { request, response }: Visit): Promise<Answered> {
  const { sessions, isSecure } = parts
  const read = await readFields(request)
  if ('status' in read) return read
  const token = String(read.fields['token'])
  const { denied } = whoHas(token, parts, request)
  if (denied) return denied
  return withCookie(response, cookieHeader(await sessions.begin(token), isSecure))
}

async function signOut(
  { sessions, isSecure }: PageParts,
  { cookie, response }: Visit,
): Promise<Answered> {
  await sessions.end(cookie)
  return withCookie(response, cookieHeader('', isSecure))
}

function withCookie(response: ServerResponse, cookie: string): null {
  response.writeHead(204, { 'Set-Cookie': cookie }).end()
  return null
}

// The built files of the live page and the playground, at their addresses.

/** The shell has no data, so everybody gets it; the addresses below `/q/` are places in it. */
export function serveFiles(app: Express, { pages }: Pick<PageParts, 'pages'>): void {
  for (const path of ['/', '/q/:queue', '/q/:queue/:number', '/q/:queue/run/:run']) {
    serveShell(app, path, livePageIn(pages.live))
  }
  serveAssets(app, '/page/assets', livePageIn(pages.live))
  routePage(app, '/play', (response) => response.redirect(308, '/play/'))
  const playground = { folder: pages.play, headers: playgroundHeaders }
  serveShell(app, '/play/', playground)
  serveAssets(app, '/play/assets', playground)
}

/** A browser that asks for any other path gets the page, which says that there is none. Comes last. */
function serveOtherPaths(app: Express, { pages }: Pick<PageParts, 'pages'>): void {
  const answer = (request: Request, response: Response, next: NextFunction): void => {
    const isBrowser = request.headers.accept?.includes('text/html') === true
    if (isBrowser && request.method === 'GET')
      sendShell(response.status(404), livePageIn(pages.live))
    else next()
  }
  app.use(answer)
  // A path that cannot be decoded is none of the page's either: it goes on as one that nothing has taken.
  app.use((fault: unknown, request: Request, response: Response, next: NextFunction) =>
    fault instanceof URIError ? answer(request, response, next) : next(fault),
  )
}

type BuiltPage = {
  readonly folder: string
  readonly headers: Readonly<Record<string, string>>
}

/** The names of assets have a hash of their content. */
function serveAssets(app: Express, path: string, { folder, headers }: BuiltPage): void {
  serveFolder(app, path, { folder: join(folder, 'assets'), headers, isForEver: true })
}

const livePageIn = (folder: string): BuiltPage => ({ folder, headers: livePageHeaders })

function serveShell(app: Express, path: string, page: BuiltPage): void {
  routePage(app, path, (response) => sendShell(response, page))
}

/** It may be built while the server runs. */
function sendShell(response: Response, { folder, headers }: BuiltPage): void {
  if (!existsSync(join(folder, 'index.html'))) return sendError(response, notBuilt)
  response.set({ ...headers, 'Cache-Control': 'no-cache' })
  response.sendFile('index.html', { root: folder, cacheControl: false, acceptRanges: false })
}

const notBuilt: ErrorResponse = {
  status: 404,
  text: 'the page is not built: run npm run build, and load it again',
}

// The headers of the pages: no code that is not ours, and no frame around them.

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]

const common = {
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

const livePageHeaders = {
  ...common,
  'Content-Security-Policy': [...policy, "require-trusted-types-for 'script'"].join('; '),
} as const

/** Chromium makes no worker under `require-trusted-types-for`, and the playground has one. */
const playgroundHeaders = {
  ...common,
  'Content-Security-Policy': policy.join('; '),
} as const
