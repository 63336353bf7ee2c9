/** A typed client of the HTTP API, `mergeyard/client`: it runs wherever there is `fetch`, and needs no package. */

import type { Operations } from './wire.ts'

export type * from './wire.ts'

export type ClientOptions = {
  /** The address of the server, without `/v1`. */
  readonly url: string
  readonly token: string
  readonly fetch?: typeof globalThis.fetch
}

/** What the server has answered instead: its status, and its words as the message. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number

  constructor(status: number, words: string) {
    super(words)
    this.status = status
  }
}

export type Call = <Name extends keyof Operations>(
  operation: Name,
  body: Operations[Name]['body'],
) => Promise<Operations[Name]['answer']>

/** Returns a function that calls operations. It rejects with `ApiError` if refused, else as `fetch` does. */
export function connect({ url, token, fetch = globalThis.fetch }: ClientOptions): Call {
  const base = `${url.replace(/\/+$/, '')}/v1`
  const headers = { 'content-type': 'application/json', 'x-api-token': token }
  return async <Name extends keyof Operations>(
    operation: Name,
    body: Operations[Name]['body'],
  ): Promise<Operations[Name]['answer']> => {
    const response = await fetch(`${base}/${operation}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      // It would take the token along to wherever it leads.
      redirect: 'error',
    })
    const text = await response.text()
    if (!response.ok) throw new ApiError(response.status, text)
    const answer: Operations[Name]['answer'] = JSON.parse(text)
    return answer
  }
}
