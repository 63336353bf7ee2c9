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
  /** All of a list, instead of a body: the host answers one page of it. */
  readonly items?: readonly unknown[]
  /** The object in which the host puts the page; default: the page is the body. */
  readonly wrap?: (page: readonly unknown[], total: number) => unknown
}

export type Route = (state: FakeState, call: Call) => Answer | Promise<Answer>

export const ok = (body: unknown): Answer => ({ status: 200, body })
export const made = (body: unknown): Answer => ({ status: 201, body })
/** One page of a list. */
export const pageOf = (items: readonly unknown[]): Answer => ({ status: 200, items })
export const refused = (status: number, message: string): Answer => ({ status, body: { message } })

export const notFound = refused(404, 'Not Found')

export type Page = {
  readonly page: number
  readonly size: number
  readonly pages: number
  readonly total: number
  /** The address of another page. */
  readonly at: (page: number) => string
}

/** How a kind of host gives lists page by page. */
export type Paging = {
  /** The size of a page if the request names none. */
  readonly usual: number
  /** More are never given at once, whatever is asked for. */
  readonly most: number
  readonly headersOf: (page: Page) => Readonly<Record<string, string>>
}

/** The answer with the page that the request asks for. */
export function paged(
  { usual, most, headersOf }: Paging,
  { items, wrap = (page) => page, ...answer }: Answer,
  url: URL,
): Answer {
  if (!items) return answer
  const wanted = url.searchParams.get('per_page') ?? url.searchParams.get('limit')
  const size = Math.min(most, Number(wanted ?? usual))
  const page = Number(url.searchParams.get('page') ?? 1)
  const [total, pages] = [items.length, Math.ceil(items.length / size)]
  const at = (other: number): string => {
    const address = new URL(url)
    address.searchParams.set('page', String(other))
    return address.href
  }
  const body = wrap(items.slice((page - 1) * size, page * size), total)
  const headers = { ...headersOf({ page, size, pages, total, at }), ...answer.headers }
  return { ...answer, body, headers }
}

/** As GitHub and Gitea write it; empty for the only page. */
export function linkOf({ page, pages, at }: Page): Readonly<Record<string, string>> {
  const links = [
    ...(page < pages ? [`<${at(page + 1)}>; rel="next"`, `<${at(pages)}>; rel="last"`] : []),
    ...(page > 1 ? [`<${at(1)}>; rel="first"`, `<${at(page - 1)}>; rel="prev"`] : []),
  ]
  return links.length === 0 ? {} : { link: links.join(', ') }
}

/** A field of a body as text. */
export function textIn(body: Call['body'], name: string, missing = ''): string {
  const value = body[name]
  return typeof value === 'string' ? value : missing
}
