/** Sends requests over many concurrent connections to the process under test. */

import { Pool } from 'undici'

const connections = 64

const token = 'admin-token-of-a-benchmark'
const repository = { host: 'github.com', owner: 'acme', name: 'shop' }

/** The environment in which a server accepts this client's token. */
export const tokenEnvironment = { MERGEYARD_TOKEN: token }

export class Client {
  readonly #pool: Pool

  constructor(url: string) {
    this.#pool = new Pool(url, { connections, pipelining: 1 })
  }

  /** Sends one request and returns the response body. Throws if the status is not 200. */
  call(operation: string, body: object): Promise<string> {
    return this.#request(operation, 'POST', body)
  }

  /** Returns the metrics of all queues. */
  scrape(): Promise<string> {
    return this.#request('getMergeQueueMetrics', 'GET', null)
  }

  async #request(operation: string, method: 'GET' | 'POST', body: object | null): Promise<string> {
    const { statusCode, body: answer } = await this.#pool.request({
      path: `/v1/${operation}`,
      method,
      headers: { 'content-type': 'application/json', 'x-api-token': token },
      body: body && JSON.stringify({ repo: repository, targetBranch: 'main', ...body }),
    })
    const text = await answer.text()
    if (statusCode !== 200) throw new Error(`${operation}: status ${statusCode}: ${text}`)
    return text
  }

  /** Sends one request for each pull request, 64 at a time. */
  async callForEach(
    operation: string,
    numbers: readonly number[],
    bodyOf: (number: number) => object = ofOneRepository,
  ): Promise<void> {
    let next = 0
    const worker = async (): Promise<void> => {
      while (next < numbers.length) {
        const number = numbers[next++]
        if (number !== undefined) await this.call(operation, bodyOf(number))
      }
    }
    await Promise.all(Array.from({ length: connections }, worker))
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}

const ofOneRepository = (number: number): object => ({ pr: { number } })

/** A repository of many. */
export const repositoryAt = (place: number) => ({ ...repository, name: `shop-${place}` })

/** Returns `count` consecutive numbers, beginning with `first`. */
export function numbersFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index)
}
