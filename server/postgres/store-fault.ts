/** Why a PostgreSQL cannot be used as the store: one line for the administrator. */

import { connectionWords } from '../faults/connection.ts'

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
