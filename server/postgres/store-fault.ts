/** Why a PostgreSQL cannot be used as the store: one line for the administrator. */

export class StoreFault extends Error {
  override readonly name = 'StoreFault'
}

/** The URL as it may be shown and logged: without the password. */
export function shownUrl(url: string): string {
  const { protocol, username, host, pathname } = new URL(url)
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`
}

/** What PostgreSQL, or the system, says of a connection that failed, as one line. */
export function storeFault(url: string, error: unknown): StoreFault {
  return new StoreFault(`${shownUrl(url)}: ${wordsOf(error)}`, { cause: error })
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Node tries several addresses of a host, and gives an error for each.
  const all = error instanceof AggregateError ? error.errors.map(wordsOf) : [error.message]
  return [...new Set(all)].join('; ').replaceAll(/\s+/g, ' ')
}
