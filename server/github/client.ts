/**
 * The API of one repository: authenticated, repeated after faults, slowed down to what GitHub allows, and
 * conditional, so that what has not changed costs nothing.
 */

import { Octokit } from '@octokit/core'
import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'
import { createAppAuth } from '@octokit/auth-app'
import type { EndpointDefaults, Endpoints, OctokitResponse, ResponseHeaders } from '@octokit/types'
import type { Logger } from 'pino'
import type { Millis } from '../../engine/index.ts'
import type { Pace } from '../code-host/api.ts'
import { HostClock } from '../code-host/host-clock.ts'
import {
  CodeHostFailed,
  HostLimit,
  isHidden,
  type Json,
  limited,
  limitIn,
  faultThatCounts,
  once,
  orElse,
  recordIn,
  textIn,
} from '../code-host/rest.ts'
import { answerWords, connectionWords } from '../faults/connection.ts'
import { basicAccess } from '../git/credentials.ts'
import type { GitHubOptions } from '../hosting/options.ts'
import { messageOf } from '../terminal/text.ts'

const usual: Pace = { isThrottled: true, retryAfterMs: 1_000 }
const mostLimitRetries = 2
/** A longer wait is logged. */
const mostLimitSeconds = 5
const timeoutMs = 30_000
/** More are never given at once, whatever is asked for. */
const pageSize = 100

/** A request is not repeated before the time that its answer names. Before `retry`, which reads what this one says. */
const patience = (octokit: Octokit): object => {
  octokit.hook.error('request', (error, options) => {
    const limitMs = limitIn(statusOf(error), (name) => textIn(headersOf(error)[name]))
    if (limitMs !== null) options.request['retries'] = 0
    throw error
  })
  return {}
}

const Api = Octokit.plugin(patience, retry, throttling)

type Route = keyof Endpoints
/** The parameters of a request, without those that nearly every one has. */
export type Asked<R extends Route> = Omit<Endpoints[R]['parameters'], 'owner' | 'repo'>
type Data<R extends Route> = Endpoints[R]['response']['data']
type Answered<R extends Route> = { readonly data: Data<R>; readonly headers: ResponseHeaders }

export class GitHubClient {
  readonly owner: string
  readonly repo: string
  readonly api: string
  readonly clock = new HostClock()
  /** Requests that are left in this hour, by the last answer; null before the first. */
  remaining: number | null = null
  readonly #options: GitHubOptions
  readonly #logger: Logger
  readonly #pace: Pace
  readonly #apps = new Map<string, () => Promise<number | null>>()
  readonly #limit = new HostLimit('GitHub')

  constructor(options: GitHubOptions, logger: Logger, pace: Pace = usual) {
    this.owner = options.owner
    this.repo = options.name
    this.api = options.api
    this.#options = options
    this.#logger = logger
    this.#pace = pace
  }

  /** Between two looks at what GitHub does in the background. */
  get lookMs(): number {
    return this.#pace.retryAfterMs
  }

  /** The parameters that nearly every request has. */
  get at(): { readonly owner: string; readonly repo: string } {
    return { owner: this.owner, repo: this.repo }
  }

  async ask<R extends Route>(route: R, asked: Asked<R>): Promise<Answered<R>> {
    const isWithin = route.includes('{owner}')
    try {
      const octokit = await this.octokit()
      return await octokit.request<string>(route, { ...(isWithin ? this.at : {}), ...asked })
    } catch (error) {
      const isRepository = route === 'GET /repos/{owner}/{repo}'
      throw isWithin && !isRepository ? await this.#faultThatCounts(error) : error
    }
  }

  #faultThatCounts(error: unknown): Promise<unknown> {
    return faultThatCounts(error, () => this.ask('GET /repos/{owner}/{repo}', {}))
  }

  /**
   * All items of a list, page by page, until `isEnough`. A page that has not changed comes with the links of the
   * time when it was read first, so a full one is never taken for the last.
   */
  async all<R extends Route, Item>(
    route: R,
    asked: Asked<R>,
    itemsIn: (data: Data<R>) => readonly Item[],
    isEnough: (items: readonly Item[]) => boolean = () => false,
  ): Promise<Item[]> {
    const found: Item[] = []
    for (let page = 1; ; page++) {
      const { headers, data } = await this.ask(route, { ...asked, per_page: pageSize, page })
      const items = itemsIn(data)
      found.push(...items)
      const isLast = items.length < pageSize && headers.link?.includes('rel="next"') !== true
      if (isLast || isEnough(items)) return found
    }
  }

  /** Asks GraphQL, whose faults come with the status of a success. Rejects with `CodeHostFailed`. */
  async graphql<Found>(query: string, asked: Readonly<Record<string, unknown>>): Promise<Found> {
    const octokit = await this.octokit()
    try {
      return await octokit.graphql<Found>(query, { ...asked, request: { retries: 0 } })
    } catch (error) {
      throw await this.#faultThatCounts(failureOf('POST /graphql', error))
    }
  }

  /** The number of an App; null: there is none of this name. */
  appOf(slug: string): Promise<number | null> {
    const known = this.#apps.get(slug) ?? once(() => this.#findApp(slug))
    this.#apps.set(slug, known)
    return known()
  }

  async #findApp(slug: string): Promise<number | null> {
    const asked = this.ask('GET /apps/{app_slug}', { app_slug: slug })
    return (await asked.catch(orElse(isHidden, null)))?.data?.id ?? null
  }

  /** Throws `CodeHostFailed` at its requests. An App that is not installed yet may be soon. */
  readonly octokit = once(
    () => this.#open(),
    () => this.#secret(),
  )

  /** Who comments and pushes with these credentials. */
  readonly login = once(
    () => this.#findLogin(),
    () => this.#secret(),
  )

  /** As it is now: somebody can replace it while the server runs. */
  #secret(): string {
    const { auth } = this.#options
    return auth.kind === 'token' ? auth.token() : auth.key()
  }

  readonly gitAccess = async (url: string): Promise<Record<string, string>> => {
    return basicAccess(url, 'x-access-token', await this.#token())
  }

  async #token(): Promise<string> {
    const { auth } = this.#options
    if (auth.kind === 'token') return auth.token()
    const octokit = await this.octokit()
    const found = await octokit.auth({ type: 'installation' })
    const token = typeof found === 'object' && found !== null && 'token' in found ? found.token : ''
    return String(token)
  }

  async #findLogin(): Promise<string> {
    const { auth } = this.#options
    if (auth.kind === 'token') {
      const { data } = await this.ask('GET /user', {})
      return data.login
    }
    const { data } = await this.#make({ appId: auth.id, privateKey: auth.key() }).request(
      'GET /app',
    )
    return `${data?.slug ?? ''}[bot]`
  }

  async #open(): Promise<Octokit> {
    const { auth } = this.#options
    if (auth.kind === 'token') return this.#make(null)
    const app = { appId: auth.id, privateKey: auth.key() }
    const found = await this.#make(app).request('GET /repos/{owner}/{repo}/installation', this.at)
    return this.#make({ ...app, installationId: found.data.id })
  }

  #make(app: Readonly<Record<string, unknown>> | null): Octokit {
    const { isThrottled, retryAfterMs } = this.#pace
    const { auth } = this.#options
    const again = (after: number, request: { readonly method: string }, _: unknown, count = 0) => {
      this.#logger.warn({ after, method: request.method }, 'GitHub asks to send fewer requests')
      return after <= mostLimitSeconds && count < mostLimitRetries
    }
    const octokit = new Api({
      baseUrl: this.api,
      userAgent: 'mergeyard',
      ...(app === null
        ? { auth: auth.kind === 'token' ? auth.token() : '' }
        : { authStrategy: createAppAuth, auth: app }),
      request: { fetch: withTimeout },
      retry: { retryAfterBaseValue: retryAfterMs, doNotRetry },
      throttle: { enabled: isThrottled, onRateLimit: again, onSecondaryRateLimit: again },
      // It would print what it is asked to retry; this server has a log of its own.
      log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    })
    const cached = cachedAnswers()
    octokit.hook.wrap('request', async (request, options) => {
      const what = `${options.method} ${options.url.replace(this.api, '')}`
      this.#limit.refuseWhileClosed(what)
      try {
        const answer = await cached((asked) => this.#noted(request, asked), options)
        // Octokit takes the page of a proxy for an answer, and each sign of it for an item of a list.
        const isPage = typeof answer.data === 'string' && answer.data !== ''
        if (isPage) throw new SyntaxError('it is not valid JSON')
        // GraphQL says so with the status of a success.
        if (statusInGraphql(answer) === limited) {
          const words = textIn(graphqlErrorIn(answer)?.['message'])
          throw Object.assign(new Error(words), { data: answer.data, response: answer })
        }
        return answer
      } catch (error) {
        throw this.#noteLimit(failureOf(what, error), error)
      }
    })
    return octokit
  }

  /** A limit is never taken for a missing permission. */
  #noteLimit(failure: CodeHostFailed, error: unknown): CodeHostFailed {
    const { status, message } = failure
    const { clock } = this
    const limitMs = limitOf(status, { headers: headersOf(error), words: message, clock })
    if (limitMs === null) return failure
    const at = new Date(this.#limit.close(limitMs)).toISOString()
    this.#logger.warn({ until: at }, 'GitHub allows no more requests for a while')
    return new CodeHostFailed(message, limited)
  }

  /** Notes what the answer to this very request says: an answer that has not changed is of earlier. */
  async #noted(request: Request, options: Options): Promise<Answer> {
    try {
      const answer = await request(options)
      this.#note(answer.headers)
      return answer
    } catch (error) {
      this.#note(headersOf(error))
      throw error
    }
  }

  #note(headers: Json): void {
    this.clock.note(headers['date'])
    const left = Number(headers['x-ratelimit-remaining'])
    if (!Number.isNaN(left)) this.remaining = left
  }
}

/** Its own list, and what others here decide: limits, and why a merge was refused. */
const doNotRetry = [400, 401, 403, 404, 405, 409, 410, 422, 429, 451]

const nothing = (): void => undefined

const withTimeout: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) })

// Conditional requests: an answer that has not changed costs nothing of GitHub's limit.

type Options = Required<EndpointDefaults>
type Answer = OctokitResponse<unknown>
type Request = (options: Options) => Answer | Promise<Answer>

/** More answers than a line of hundreds of pull requests needs. */
const mostAnswers = 4_000

/** Sends each GET with the tag of the last answer, and gives that answer again if it still holds. */
function cachedAnswers(): (request: Request, options: Options) => Promise<Answer> {
  const answers = new Map<string, Answer>()
  return async (request, options) => {
    if (options.method !== 'GET') return request(options)
    const key = JSON.stringify({ ...options, headers: null, request: null })
    const known = answers.get(key)
    const etag = known?.headers.etag
    // The hooks of Octokit pass on the object itself, and ignore another one.
    if (etag !== undefined) options.headers = { ...options.headers, 'if-none-match': etag }
    try {
      const answer = await request(options)
      answers.delete(key)
      answers.set(key, answer)
      for (const oldest of answers.keys()) {
        if (answers.size <= mostAnswers) break
        answers.delete(oldest)
      }
      return answer
    } catch (error) {
      const isSame = error instanceof Error && 'status' in error && error.status === 304
      if (known && isSame) return known
      throw error
    }
  }
}

// When GitHub says that it allows no more requests for a while.

/** If it does not say for how long. */
const usualMs = 60_000

type Refusal = {
  readonly headers: Json
  readonly words: string
  /** GitHub names an instant of its own clock. */
  readonly clock: HostClock
}

/** For how long no request may be sent; null if the answer is about something else. */
function limitOf(status: number, { headers, words, clock }: Refusal): Millis | null {
  const asked = limitIn(status, (name) => textIn(headers[name]))
  if (asked !== null) return asked
  if (status !== 403 && status !== 429) return null
  if (headers['x-ratelimit-remaining'] === '0') {
    const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN)
    return Number.isNaN(reset) ? usualMs : reset * 1_000 - clock.now()
  }
  return status === 429 || /secondary rate limit/i.test(words) ? usualMs : null
}

// What a request to GitHub failed by, from whatever Octokit threw: without headers, bodies and credentials.

/** Shapes of the credentials of GitHub, in any text. */
const secrets =
  /\b(?:gh[a-z]_\w{16,}|github_pat_\w{16,})|\beyJ[\w-]+\.[\w-]+\.[\w-]+|\b(?:token|bearer|basic)\s+[\w+/=.-]{16,}/gi

export function withoutSecrets(text: string): string {
  return text.replaceAll(secrets, '[secret]')
}

/** The failure of a request, from whatever was thrown. */
export function failureOf(what: string, fault: unknown): CodeHostFailed {
  if (fault instanceof CodeHostFailed) return fault
  const status = statusOf(fault) || statusInGraphql(fault)
  const words = status === 0 ? connectionWords(fault) : answerWords(messageOf(fault))
  const answered = status === 0 ? 'GitHub does not answer' : `GitHub answers ${status}`
  return new CodeHostFailed(withoutSecrets(`${what}: ${answered}: ${words}`), status)
}

function statusOf(fault: unknown): number {
  if (!(fault instanceof Error) || !('status' in fault)) return 0
  // Octokit gives 500 to a request that got no answer; then it has no response.
  const isAnswered = 'response' in fault && fault.response !== undefined
  return isAnswered ? Number(fault.status) : 0
}

const graphqlStatuses: Readonly<Record<string, number>> = {
  NOT_FOUND: 404,
  FORBIDDEN: 403,
  INSUFFICIENT_SCOPES: 403,
  RATE_LIMIT: limited,
  // Of an older GitHub.
  RATE_LIMITED: limited,
}

/** What GraphQL says in words, in the numbers of the other requests; 0: the fault is another one. */
function statusInGraphql(said: unknown): number {
  const first = graphqlErrorIn(said)
  return first === null ? 0 : (graphqlStatuses[textIn(first['type'])] ?? 422)
}

/** The first error of an answer, or of what was thrown about it; null: it is about something else. */
function graphqlErrorIn(said: unknown): Json | null {
  const { errors, data } = recordIn(said)
  const found = errors ?? recordIn(data)['errors']
  return Array.isArray(found) ? recordIn(found[0]) : null
}

/** The headers of the answer; none if there was no answer. */
const headersOf = (fault: unknown): Json =>
  recordIn(recordIn(recordIn(fault)['response'])['headers'])
