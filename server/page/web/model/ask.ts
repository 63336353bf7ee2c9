/** Requests of the page to its server. Errors are sentences for the reader. */

import { signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Act } from '../../frame.ts'
import { addressOf } from './route.ts'

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
    // Errors of the API begin in lower case and end without a full stop.
    return `${capitalized(words)}${/[.?!]$/.test(words) ? '' : '.'}`
  }
  if (status === 429) return 'Too many tries. Wait a minute, then try again.'
  return `The server answered with status ${status}.`
}

export const capitalized = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

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
export async function act(action: Act): Promise<string | null> {
  const answered = await post(addressOf('act'), action)
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

/** By address; one without an answer is missing. */
type Answers<Body> = ReadonlyMap<string, Known<Body>>

/**
 * Asks each address, and again whenever one of `changesFor` what is known is another one. Each has one request at a time;
 * what changes meanwhile leads to one more.
 */
export function useAnswers<Body>(
  addresses: readonly string[],
  changesFor: (known: Answers<Body>) => readonly unknown[],
): Answers<Body> {
  const known = useSignal<Answers<Body>>(new Map())
  /** The addresses that are asked, and whether another request is due. */
  const underWay = useRef(new Map<string, boolean>())
  const ask = async (address: string): Promise<void> => {
    const isBusy = underWay.current.has(address)
    underWay.current.set(address, isBusy)
    if (isBusy) return
    const answered = await get<Body>(address)
    const { body = null } = known.value.get(address) ?? {}
    const now =
      answered.kind === 'ok' ? { body: answered.body, refusal: null } : { body, refusal: answered }
    known.value = new Map([...known.value, [address, now]])
    const isDue = underWay.current.get(address)
    underWay.current.delete(address)
    if (isDue === true) await ask(address)
  }
  useEffect(() => {
    for (const address of addresses) void ask(address)
  }, [addresses.join(' '), ...changesFor(known.value)])
  return known.value
}

/** The same for one address. Null before the first answer. */
export function useAnswer<Body>(
  address: string,
  changesFor: (body: Body | null) => readonly unknown[],
): Known<Body> | null {
  const bodyIn = (all: Answers<Body>): Body | null => all.get(address)?.body ?? null
  const known = useAnswers<Body>([address], (all) => changesFor(bodyIn(all)))
  return known.get(address) ?? null
}
