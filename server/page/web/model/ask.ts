/** Requests of the page to its server. Errors are sentences for the reader. */

import { signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Act } from '../../frame.ts'

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

// The actions of the page. Their results come by the stream; only refusals come back here.

/** What the dialog is about; null if it is closed. */
export type Question =
  | { readonly about: 'pull request'; readonly number: number }
  | { readonly about: 'queue'; readonly action?: 'resume' }
  /** Named: what the field says at first. */
  | { readonly about: 'submission'; readonly named?: string }
  | { readonly about: 'help' }

export const question = signal<Question | null>(null)

/** Returns the refusal in words, or null if the action was accepted. */
export async function act(queue: string, action: Act): Promise<string | null> {
  const answered = await post(`/page/act?queue=${encodeURIComponent(queue)}`, action)
  if (answered.kind === 'ok') return null
  if (answered.kind === 'refused' && answered.status === 401) {
    return 'Your session has ended. Sign in again, then repeat it.'
  }
  return answered.error
}

// What the server answers at an address, for a part of the page that shows it.

export type Known<Body> = {
  /** The last answer that was no refusal; null if there was none. */
  readonly body: Body | null
  /** Why the last request has no answer; null if it has. */
  readonly refusal: Exclude<Answered<Body>, { kind: 'ok' }> | null
}

/**
 * Asks, and again whenever one of `changesFor` what is known is another one. There is one request at a time; what
 * changes meanwhile leads to one more. Null before the first answer.
 */
export function useAnswer<Body>(
  address: string,
  changesFor: (body: Body | null) => readonly unknown[],
): Known<Body> | null {
  const known = useSignal<(Known<Body> & { readonly of: string }) | null>(null)
  const asking = useRef({ address, isDue: false, isBusy: false })
  const current = known.value?.of === address ? known.value : null
  useEffect(() => {
    const ask = async (): Promise<void> => {
      asking.current.isBusy = true
      while (asking.current.isDue) {
        asking.current.isDue = false
        const { address: of } = asking.current
        const answered = await get<Body>(of)
        const before = known.value?.of === of ? known.value.body : null
        known.value =
          answered.kind === 'ok'
            ? { of, body: answered.body, refusal: null }
            : { of, body: before, refusal: answered }
      }
      asking.current.isBusy = false
    }
    asking.current.address = address
    asking.current.isDue = true
    if (!asking.current.isBusy) void ask()
  }, [address, ...changesFor(current?.body ?? null)])
  return current
}
