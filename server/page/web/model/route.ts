/** The address of the page. It holds only the id of a queue and a number, never data. */

import { computed, signal } from '@preact/signals'

export type Route =
  | { readonly page: 'queues' }
  | { readonly page: 'queue'; readonly queue: string }
  | { readonly page: 'pull request'; readonly queue: string; readonly number: number }
  | { readonly page: 'run'; readonly queue: string; readonly run: string }
  | { readonly page: 'unknown' }

export function routeOf(path: string): Route {
  if (path === '/') return { page: 'queues' }
  const [, encoded = '', ofRun, digits] =
    /^\/q\/([^/]+)(?:\/(run\/)?(\d{1,10}))?\/?$/.exec(path) ?? []
  const queue = decoded(encoded)
  if (queue === '') return { page: 'unknown' }
  if (digits === undefined) return { page: 'queue', queue }
  if (ofRun !== undefined) return { page: 'run', queue, run: digits }
  return { page: 'pull request', queue, number: Number(digits) }
}

/** Returns an empty text for an address that nobody could have made from an id. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

export const queuePath = (queue: string): string => `/q/${encodeURIComponent(queue)}`

export const pullRequestPath = (queue: string, number: number): string =>
  `${queuePath(queue)}/${number}`

export const runPath = (queue: string, run: string): string => `${queuePath(queue)}/run/${run}`

export const route = signal<Route>({ page: 'queues' })

/** The id of the queue that is shown; empty for none. */
export const queueShown = computed(() => ('queue' in route.value ? route.value.queue : ''))

/** Where the server tells something about the queue that is shown. */
export const addressOf = (path: string, fields: Readonly<Record<string, string>> = {}): string =>
  `/page/${path}?${new URLSearchParams({ queue: queueShown.value, ...fields }).toString()}`

export function go(path: string): void {
  history.pushState(null, '', path)
  arrive()
  scrollTo(0, 0)
  // Else a reader would stay in a field or on a link that is no longer there.
  document.getElementById('content')?.focus({ preventScroll: true })
}

/** Like `go`, but the way back leads past the address that is left. */
export function goInstead(path: string): void {
  history.replaceState(null, '', path)
  arrive()
}

function arrive(): void {
  route.value = routeOf(location.pathname)
}

/** Follows the address bar and the links of the page, so that the stream goes on over a click. */
export function followAddress(): void {
  arrive()
  addEventListener('popstate', arrive)
  document.addEventListener('click', (event) => {
    const path = pathOfClick(event)
    if (path === null) return
    event.preventDefault()
    go(path)
  })
}

/** The path of a plain click on a link to a page of this kind; null for all other clicks. */
function pathOfClick(event: MouseEvent): string | null {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
  if (!isPlain || event.altKey || event.defaultPrevented) return null
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link?.target !== '' || link.origin !== location.origin) return null
  const { pathname, hash } = link
  return hash === '' && routeOf(pathname).page !== 'unknown' ? pathname : null
}
