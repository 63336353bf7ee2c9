/** Why a PostgreSQL cannot be used as the store: one line for the administrator. */

export class StoreFault extends Error {
  override readonly name = 'StoreFault'
}

/** The URL as it may be shown and logged: without the password. */
export function shownUrl(url: string): string {
  const { protocol, username, host, pathname } = new URL(url)
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`
}

/** A connection that failed, as one line. */
export function storeFault(url: string, error: unknown): StoreFault {
  return new StoreFault(`${shownUrl(url)}: ${connectionWords(error)}`, { cause: error })
}

/**
 * What PostgreSQL, the driver or the system says of a connection that failed, as one line. The driver is
 * not loaded for it.
 */
export function connectionWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Node tries several addresses of a host, and gives an error for each.
  const all = error instanceof AggregateError ? error.errors.map(connectionWords) : [error.message]
  const line = [...new Set(all)].join('; ').replaceAll(/\s+/g, ' ')
  return ofDriver.find(({ says }) => says.test(line))?.means ?? line
}

/** What the driver says in its own terms. */
const ofDriver = [
  { says: /client password must be a/, means: 'it asks for a password, and none was given' },
  { says: /^timeout expired$/, means: 'it does not answer' },
]
