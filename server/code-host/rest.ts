/** The JSON API of a code host, below one repository. */

import type { Millis } from '../../engine/index.ts'
import { basicAccess } from '../git/credentials.ts'
import type { Secret } from '../hosting/options.ts'
import type { Person } from './api.ts'
import { HostClock } from './host-clock.ts'
import { answerWords, connectionWords } from '../faults/connection.ts'
import { ownerOf } from '../faults/owners.ts'
import { askedWaitMs, type HeaderOf, longestAskedMs } from '../timing/retry-after.ts'

/** What one host does otherwise than another. */
type RestHost = {
  /** For people: `Gitea`. */
  readonly name: string
  readonly api: string
  /** Where the repository is below it: `/repos/acme/shop`. */
  readonly at: string
  readonly token: Secret
  /** Whose password the token is, to git. */
  readonly gitUser: string
  /** How many items of a list are asked for at once, as the host wants to read it. */
  readonly page: Query
  /** True if no page of a list follows. */
  readonly isLast: (items: readonly unknown[], headers: Headers) => boolean
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Query = Readonly<Record<string, string>>
type Body = Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>

type Answered<Data> = { readonly data: Data; readonly headers: Headers; readonly url: string }

const timeoutMs = 30_000

/** Every request rejects with `CodeHostFailed`. */
export class RestClient {
  readonly clock = new HostClock()
  readonly #host: RestHost
  readonly #limit: HostLimit

  constructor(host: RestHost) {
    this.#host = host
    this.#limit = new HostLimit(host.name)
  }

  /** Whose token it is. */
  readonly self = once(
    () => this.#findSelf(),
    () => this.#host.token(),
  )

  async login(): Promise<string> {
    return (await this.self()).login
  }

  gitAccess(url: string): Record<string, string> {
    return basicAccess(url, this.#host.gitUser, this.#host.token())
  }

  /** Reads below the repository. */
  async get<Data>(path: string): Promise<Data> {
    return (await this.#within<Data>('GET', path)).data
  }

  /** All items of a list, page by page, until `isEnough`. */
  async all<Item>(
    path: string,
    query: Query = {},
    isEnough: (items: readonly Item[]) => boolean = () => false,
  ): Promise<Item[]> {
    const { page: size, isLast } = this.#host
    const found: Item[] = []
    for (let page = 1; ; page++) {
      const asked = new URLSearchParams({ ...query, ...size, page: String(page) })
      const { data, headers } = await this.#within<Item[]>('GET', `${path}?${asked.toString()}`)
      found.push(...data)
      if (isLast(data, headers) || isEnough(data)) return found
    }
  }

  /** Changes something below the repository. */
  async change<Data>(
    method: Exclude<Method, 'GET'>,
    path: string,
    body: Body | null = null,
  ): Promise<Data> {
    return (await this.#within<Data>(method, path, body)).data
  }

  /** Asks for something in the repository, or for itself. */
  async #within<Data>(method: Method, path: string, body?: Body | null): Promise<Answered<Data>> {
    const { at, api } = this.#host
    try {
      return await this.#send<Data>(method, `${at}${path}`, body)
    } catch (error) {
      if (isOfMoved(error)) {
        const { url } = await this.#send('GET', at)
        return this.#send<Data>(method, `${url.replace(api, '')}${path}`, body)
      }
      throw path === '' ? error : await faultThatCounts(error, () => this.#send('GET', at))
    }
  }

  async #findSelf(): Promise<Person> {
    const { data } = await this.#send<Partial<Person> & { readonly username?: string }>(
      'GET',
      '/user',
    )
    return { login: data.login ?? data.username ?? '', id: data.id ?? 0 }
  }

  async #send<Data>(
    method: Method,
    path: string,
    body: Body | null = null,
  ): Promise<Answered<Data>> {
    const { name, api, at, token } = this.#host
    const what = `${method} ${path.replace(at, '')}`
    this.#limit.refuseWhileClosed(what)
    try {
      const response = await following(`${api}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token()}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      })
      this.clock.note(response.headers.get('date'))
      const { status, ok, headers, url } = response
      const moved = headers.get('location')
      const text = moved === null || ok ? await response.text() : `moved to ${moved}`
      if (!ok) {
        const limitMs = limitIn(status, (header) => headers.get(header))
        if (limitMs !== null) this.#limit.close(limitMs)
        const words = `${what}: ${name} answers ${status}: ${wordsIn(text)}`
        throw this.#failed(words, limitMs === null ? status : limited)
      }
      const data: Data = JSON.parse(text === '' ? 'null' : text)
      return { data, headers, url }
    } catch (error) {
      if (error instanceof CodeHostFailed) throw error
      throw this.#failed(`${what}: ${name} does not answer: ${connectionWords(error)}`, 0)
    }
  }

  #failed(words: string, status: number): CodeHostFailed {
    // Masked before it is cut, so that no part of the token is left at the end.
    return new CodeHostFailed(
      words.replaceAll(this.#host.token(), '[secret]').slice(0, 500),
      status,
    )
  }
}

/**
 * Like `fetch`, which makes a GET of a POST that is sent on: so a repository that was renamed would seem to be changed. A
 * request is sent on as it is, and to the same host. Another name of the owner and one of the repository are told one by one.
 */
async function following(address: string, request: RequestInit, times = 5): Promise<Response> {
  const response = await fetch(address, { ...request, redirect: 'manual' })
  const to = new URL(response.headers.get('location') ?? '', address)
  const isMoved = times > 0 && response.status >= 300 && response.status < 400
  if (!isMoved || to.href === address || to.origin !== new URL(address).origin) return response
  await response.body?.cancel()
  return following(to.href, request, times - 1)
}

/** What the host says about an answer that is no success; all of it if it does not say it in words. */
function wordsIn(text: string): string {
  try {
    return textIn(recordIn(JSON.parse(text))['message']) || text
  } catch {
    return answerWords(text)
  }
}

/** A value that is loaded once for each secret. A failure is not kept: the next call tries again. */
export function once<Value>(
  load: () => Promise<Value>,
  secret: Secret = () => '',
): () => Promise<Value> {
  let loaded: { readonly by: string; readonly value: Promise<Value> } | null = null
  return () => {
    const by = secret()
    if (loaded?.by === by) return loaded.value
    const value = load().catch((error: unknown) => {
      loaded = null
      throw error
    })
    loaded = { by, value }
    return value
  }
}

// Reads fields of a webhook, whose shape nobody promises.

export type Json = Readonly<Record<string, unknown>>

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function recordIn(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

export function numberIn(value: unknown, name = 'number'): number[] {
  const { [name]: number } = recordIn(value)
  return typeof number === 'number' ? [number] : []
}

export function shaIn(value: unknown): string[] {
  return typeof value === 'string' ? [value] : []
}

// A host that says that it wants no more requests for a while.

export class HostLimit {
  /** For people: `GitHub`. */
  readonly #name: string
  /** On a clock that is never set: an hour by which the system time is set back is no hour to wait. */
  #until: Millis = -Infinity

  constructor(name: string) {
    this.#name = name
  }

  /** A request that would be refused costs time, and can make the host wait even longer. */
  refuseWhileClosed(what: string): void {
    const leftMs = this.#until - performance.now()
    if (leftMs <= 0) return
    const at = new Date(Date.now() + leftMs).toISOString()
    throw new CodeHostFailed(
      `${what}: not sent: ${this.#name} allows no request until ${at}`,
      limited,
    )
  }

  /** Nothing is asked for so long. Returns until when. */
  close(ms: Millis): Millis {
    const waitMs = Math.min(longestAskedMs, Math.max(0, ms))
    this.#until = performance.now() + waitMs
    return Date.now() + waitMs
  }
}

/** The status of a failure that only says that it was too much. It is never taken for a missing permission. */
export const limited = 429

const limiting: ReadonlySet<number> = new Set([403, 429, 503])

/** The wait that an answer asks for; null: it asks for none, or is about something else. */
export function limitIn(status: number, header: HeaderOf): Millis | null {
  return limiting.has(status) ? askedWaitMs(header, Date.now()) : null
}

// A request to a code host that failed, for people: without headers, bodies and credentials.

export class CodeHostFailed extends Error {
  override readonly name = 'CodeHostFailed'
  /** 0: there was no answer. */
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** True if a request about one pull request failed by something that concerns no other: it is said there. */
export function concernsOne(fault: unknown): fault is CodeHostFailed {
  if (!(fault instanceof CodeHostFailed)) return false
  const { status, message: words } = fault
  return ownerOf({ attempt: 'request', status, words }) === 'pull request'
}

/** What it means for that one; null: it concerns others too. By a failure of the host itself nothing is decided. */
export function meaningForOne(fault: unknown): 'refusal' | 'passing' | null {
  if (!concernsOne(fault)) return null
  return fault.status >= 500 ? 'passing' : 'refusal'
}

/**
 * The fault of a request within a repository. To an account that has lost its access a host says of everything that it is
 * not there. So a refusal counts only while the host shows the repository itself; else that is the fault.
 */
export async function faultThatCounts(
  fault: unknown,
  askRepository: () => Promise<unknown>,
): Promise<unknown> {
  if (!isRefused(fault)) return fault
  try {
    await askRepository()
    return fault
  } catch (error) {
    const words = 'this account does not see the repository any more'
    return isHidden(error) ? new CodeHostFailed(`${words}: ${String(error)}`, 0) : error
  }
}

/** True for a request that the host answered with one of these. */
export function hasStatus(...statuses: readonly number[]): (fault: unknown) => boolean {
  return (fault) => fault instanceof CodeHostFailed && statuses.includes(fault.status)
}

/** True for a request that the host refused with such words. */
export function says(words: RegExp): (fault: unknown) => boolean {
  return (fault) => fault instanceof CodeHostFailed && words.test(fault.message)
}

/** True if GitLab refuses to change a renamed repository: only to a GET it says where that is. */
const isOfMoved = says(/not allowed for moved projects/)

/** True if the host allows no more requests for a while. */
export const isLimited = hasStatus(limited)

/** True if the host says that there is no such thing, or that it is not to be seen. */
export const isMissing = hasStatus(404, 410)

/** True if the credentials do not allow it. */
export const isForbidden = hasStatus(401, 403)

const isRefused = hasStatus(403, 404, 410)

/** True if one of both. */
export const isHidden = hasStatus(401, 403, 404, 410)

/** For `catch`: what stands for a request that failed so. Others are thrown on. */
export function orElse<Value>(
  is: (fault: unknown) => boolean,
  value: Value,
): (fault: unknown) => Value {
  return (fault) => {
    if (is(fault)) return value
    throw fault
  }
}
