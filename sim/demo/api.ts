/** The server's API, as the demo calls it. */

export type QueueRef = {
  readonly repo: { readonly host: string; readonly owner: string; readonly name: string }
  readonly targetBranch: string
}

export type RunDetails = {
  readonly testRunId: string
  readonly status: 'in_progress' | 'succeeded' | 'failed' | 'cancelled'
  readonly isBisection: boolean
  readonly createdAt: string
  readonly testedPullRequests: readonly { readonly prNumber: number }[]
  /** Unmerged ones below them. */
  readonly dependentPrs: readonly number[]
}

export type Left = { readonly prNumber: number; readonly stateChangedAt: string }
type Page = { readonly pullRequests: readonly Left[]; readonly nextCursor?: string }

export class ApiFault extends Error {
  readonly status: number

  constructor(operation: string, status: number, text: string) {
    super(`${operation} answered ${status}: ${text}`)
    this.status = status
  }
}

export class Api {
  readonly #url: string
  readonly #token: string
  readonly #queue: QueueRef

  constructor(url: string, token: string, queue: QueueRef) {
    this.#url = url
    this.#token = token
    this.#queue = queue
  }

  /** Calls an operation on the queue. Throws `ApiFault` where it is refused. */
  async call<Body>(operation: string, body: object = {}): Promise<Body> {
    const response = await fetch(`${this.#url}/v1/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-token': this.#token },
      body: JSON.stringify({ ...this.#queue, ...body }),
    })
    const text = await response.text()
    if (!response.ok) throw new ApiFault(operation, response.status, text)
    const answered: Body = JSON.parse(text)
    return answered
  }

  /** Those that have merged, newest first. */
  async *merged(): AsyncGenerator<Left> {
    let cursor: string | undefined
    do {
      const asked = { state: 'MERGED', take: 100, ...(cursor === undefined ? {} : { cursor }) }
      const page: Page = await this.call<Page>('listPullRequests', asked)
      yield* page.pullRequests
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }
}
