/** The API of one repository on Gitea or Forgejo, which speak the same here. */

import { giteaApi } from 'gitea-js'
import { ForgeFailed } from '../forge/failed.ts'
import { basicAccess } from '../forge/git-access.ts'
import { once } from '../forge/once.ts'
import type { GiteaOptions } from '../hosting/options.ts'

type Api = ReturnType<typeof giteaApi>

/** What the client rejects with: an answer that is no success, or the fault of the connection. */
type Refused = { readonly status: number; readonly error: unknown }

const timeoutMs = 30_000
/** More are not given at once, whatever is asked for. */
const pageSize = 50

export class GiteaClient {
  readonly owner: string
  readonly repo: string
  /** What the clock of the host is ahead of ours, by the last answer. */
  clockAheadMs = 0
  readonly #options: GiteaOptions
  readonly #api: Api

  constructor(options: GiteaOptions) {
    this.owner = options.owner
    this.repo = options.name
    this.#options = options
    const { token } = options
    this.#api = giteaApi(options.api.replace(/\/api\/v1$/, ''), {
      get token() {
        return token()
      },
      customFetch: (input, init) => this.#fetch(input, init),
    })
  }

  /** Whose token it is. */
  readonly login = once(() => this.#findLogin())

  gitAccess(url: string): Record<string, string> {
    return basicAccess(url, 'mergeyard', this.#options.token())
  }

  /** Sends a request. Rejects with `ForgeFailed`; `what` says which it was. */
  async ask<Data>(
    what: string,
    request: (api: Api) => Promise<{ readonly data: Data }>,
  ): Promise<Data> {
    try {
      return (await request(this.#api)).data
    } catch (fault) {
      throw this.#failureOf(what, fault)
    }
  }

  /** All items of a list. The host may give fewer at once than were asked for. */
  async all<Item>(
    what: string,
    request: (
      api: Api,
      page: { readonly page: number; readonly limit: number },
    ) => Promise<{ readonly data: Item[] }>,
  ): Promise<Item[]> {
    const found: Item[] = []
    for (let page = 1; ; page++) {
      const items = await this.ask(what, (api) => request(api, { page, limit: pageSize }))
      found.push(...items)
      if (items.length === 0) return found
    }
  }

  async #findLogin(): Promise<string> {
    const { login = '' } = await this.ask('GET /user', (api) => api.user.userGetCurrent())
    return login
  }

  async #fetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    const response = await fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) })
    const date = Date.parse(response.headers.get('date') ?? '')
    if (!Number.isNaN(date)) this.clockAheadMs = date - Date.now()
    return response
  }

  #failureOf(what: string, fault: unknown): ForgeFailed {
    const words = (text: string): string =>
      `${what}: ${text}`.replaceAll(this.#options.token(), '[secret]')
    if (!isRefused(fault))
      return new ForgeFailed(words(`Gitea does not answer: ${String(fault)}`), 0)
    const { status, error } = fault
    return new ForgeFailed(words(`Gitea answers ${status}: ${messageIn(error)}`), status)
  }
}

function isRefused(fault: unknown): fault is Refused {
  return typeof fault === 'object' && fault !== null && 'status' in fault && 'error' in fault
}

function messageIn(error: unknown): string {
  const isObject = typeof error === 'object' && error !== null
  return isObject && 'message' in error ? String(error.message) : 'no message'
}
