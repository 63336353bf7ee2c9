/** A client of the server's API for the demo. */

export type DemoQueueRef = {
  readonly repo: { readonly host: string; readonly owner: string; readonly name: string }
  readonly targetBranch: string
}

export type RunDetails = {
  readonly testRunId: string
  readonly status: 'in_progress' | 'succeeded' | 'failed' | 'cancelled'
  readonly isBisection: boolean
  readonly createdAt: string
  readonly testedPullRequests: readonly { readonly prNumber: number }[]
  /** The unmerged pull requests below the tested ones. */
  readonly dependentPrs: readonly number[]
}

export type LeftPullRequest = { readonly prNumber: number; readonly stateChangedAt: string }
type Page = { readonly pullRequests: readonly LeftPullRequest[]; readonly nextCursor?: string }

export class ApiFault extends Error {
  readonly status: number

  constructor(operation: string, status: number, text: string) {
    super(`${operation} returned ${status}: ${text}`)
    this.status = status
  }
}

export class Api {
  readonly #url: string
  readonly #token: string
  readonly #queue: DemoQueueRef

  constructor(url: string, token: string, queue: DemoQueueRef) {
    this.#url = url
    this.#token = token
    this.#queue = queue
  }

  /** Calls an operation on the queue. Throws `ApiFault` if the response is not a success. */
  async call<Body>(operation: string, body: object = {}): Promise<Body> {
    const response = await fetch(`${this.#url}/v1/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-token': this.#token },
      body: JSON.stringify({ ...this.#queue, ...body }),
    })
    const text = await response.text()
    if (!response.ok) throw new ApiFault(operation, response.status, text)
    const result: Body = JSON.parse(text)
    return result
  }

  /** Yields the merged pull requests, newest first. */
  async *merged(): AsyncGenerator<LeftPullRequest> {
    let cursor: string | undefined
    do {
      const query = { state: 'MERGED', take: 100, ...(cursor === undefined ? {} : { cursor }) }
      const page: Page = await this.call<Page>('listPullRequests', query)
      yield* page.pullRequests
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }
}
