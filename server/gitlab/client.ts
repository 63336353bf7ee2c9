/** The API of one project on GitLab. */

import type { Person } from '../forge/api.ts'
import { ForgeFailed } from '../forge/failed.ts'
import { basicAccess } from '../forge/git-access.ts'
import { once } from '../forge/once.ts'
import type { GitLabOptions } from '../hosting/options.ts'
import type { User } from './shapes.ts'

type Method = 'GET' | 'POST' | 'PUT'
type Values = Readonly<Record<string, string | number | boolean>>
type Body = Readonly<Record<string, string | number | boolean | readonly string[]>>

type Answered<Data> = { readonly data: Data; readonly headers: Headers }

const timeoutMs = 30_000
const pageSize = 100

export class GitLabClient {
  /** What the clock of the host is ahead of ours, by the last answer. */
  clockAheadMs = 0
  readonly #options: GitLabOptions
  readonly #project: string

  constructor(options: GitLabOptions) {
    this.#options = options
    this.#project = `/projects/${encodeURIComponent(`${options.owner}/${options.name}`)}`
  }

  /** Whose token it is. */
  readonly self = once(() => this.#findSelf())

  async login(): Promise<string> {
    return (await this.self()).login
  }

  gitAccess(url: string): Record<string, string> {
    return basicAccess(url, 'oauth2', this.#options.token())
  }

  /** Reads below the project. Rejects with `ForgeFailed`. */
  async get<Data>(path: string, query: Values = {}): Promise<Data> {
    const { data } = await this.#send<Data>('GET', `${this.#project}${path}${textOf(query)}`)
    return data
  }

  /** All items of a list, page by page, until `isEnough`. */
  async all<Item>(
    path: string,
    query: Values = {},
    isEnough: (items: readonly Item[]) => boolean = () => false,
  ): Promise<Item[]> {
    const found: Item[] = []
    for (let page = 1; ; page++) {
      const asked = textOf({ ...query, per_page: pageSize, page })
      const { data, headers } = await this.#send<Item[]>('GET', `${this.#project}${path}${asked}`)
      found.push(...data)
      // Empty on the last page; a proxy may have taken the header away.
      const hasNext = (headers.get('x-next-page') ?? '') !== '' || data.length >= pageSize
      if (!hasNext || isEnough(data)) return found
    }
  }

  /** Changes something below the project. */
  async change<Data>(method: 'POST' | 'PUT', path: string, body: Body = {}): Promise<Data> {
    const { data } = await this.#send<Data>(method, `${this.#project}${path}`, body)
    return data
  }

  async #findSelf(): Promise<Person> {
    const { data } = await this.#send<User>('GET', '/user')
    return { login: data.username ?? '', id: data.id ?? 0 }
  }

  async #send<Data>(method: Method, path: string, body?: Body): Promise<Answered<Data>> {
    const what = `${method} ${path.replace(this.#project, '')}`
    try {
      const response = await fetch(`${this.#options.api}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#options.token()}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        body: body ? JSON.stringify(body) : null,
        signal: AbortSignal.timeout(timeoutMs),
      })
      const date = Date.parse(response.headers.get('date') ?? '')
      if (!Number.isNaN(date)) this.clockAheadMs = date - Date.now()
      const text = await response.text()
      if (!response.ok)
        throw this.#failed(`${what}: GitLab answers ${response.status}: ${text}`, response.status)
      const data: Data = JSON.parse(text)
      return { data, headers: response.headers }
    } catch (error) {
      if (error instanceof ForgeFailed) throw error
      throw this.#failed(`${what}: GitLab does not answer: ${String(error)}`, 0)
    }
  }

  #failed(words: string, status: number): ForgeFailed {
    return new ForgeFailed(
      words.slice(0, 500).replaceAll(this.#options.token(), '[secret]'),
      status,
    )
  }
}

function textOf(query: Values): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value))
  return parameters.size === 0 ? '' : `?${parameters.toString()}`
}
