/** Requests of the page to its server. Errors are sentences for the reader. */

import { signal } from '@preact/signals'

export type Answered<Body> =
  | { readonly kind: 'ok'; readonly body: Body }
  | { readonly kind: 'refused'; readonly status: number; readonly error: string }
  /** No answer: the server or the network is gone. */
  | { readonly kind: 'unreachable'; readonly error: string }

/** How often the server asked for a sign-in. */
export const refusals = signal(0)

const unreachable = {
  kind: 'unreachable',
  error: 'The server does not answer. Is it running, and are you connected?',
} as const

export function get<Body>(path: string): Promise<Answered<Body>> {
  return asked<Body>(path, { method: 'GET' })
}

export function post<Body>(path: string, body: unknown): Promise<Answered<Body>> {
  const headers = { 'content-type': 'application/json' }
  return asked<Body>(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function asked<Body>(path: string, options: RequestInit): Promise<Answered<Body>> {
  try {
    const response = await fetch(path, {
      ...options,
      credentials: 'same-origin',
      cache: 'no-store',
    })
    const text = await response.text()
    if (response.status === 401 && path !== '/page/sign-in') refusals.value += 1
    if (!response.ok) {
      return { kind: 'refused', status: response.status, error: errorOf(response.status, text) }
    }
    const body: Body = JSON.parse(text === '' ? 'null' : text)
    return { kind: 'ok', body }
  } catch {
    return unreachable
  }
}

/** Errors of the server are sentences. Those of a proxy in between are pages that nobody wants to see. */
export function errorOf(status: number, text: string): string {
  const [, error] = /^\{"error":("(?:[^"\\]|\\.)*")/.exec(text) ?? []
  if (error !== undefined) {
    const words: string = JSON.parse(error)
    return sentence(words)
  }
  if (status === 429) return 'Too many tries. Wait a minute, then try again.'
  return `The server answered with status ${status}.`
}

/** Errors of the API begin in lower case and end without a full stop. */
function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`
}
