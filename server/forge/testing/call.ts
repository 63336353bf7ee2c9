/** A request to the fake, and its answer. */

import type { FakeState } from './state.ts'

export type Call = {
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
}

export type Answer = {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type Route = (state: FakeState, call: Call) => Answer | Promise<Answer>

export const notFound: Answer = { status: 404, body: { message: 'Not Found' } }

/** One page of a list. */
export function pageOf<Item>(items: readonly Item[], { query }: Call): Item[] {
  const size = Number(query.get('per_page') ?? query.get('limit') ?? 30)
  const page = Number(query.get('page') ?? 1)
  return items.slice((page - 1) * size, page * size)
}

/** A field of a body as text. */
export function textIn(body: Call['body'], name: string, missing = ''): string {
  const value = body[name]
  return typeof value === 'string' ? value : missing
}
