/** A connection for one purpose, which is closed afterwards, also if it could not be made. */

import { Client, type ClientConfig } from 'pg'

/**
 * A pool does not close a connection that failed because there is no password, and the process would wait
 * for it. So whatever can be wrong with an address is found on a connection of its own.
 */
export async function onOwnConnection<T>(
  options: ClientConfig,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(options)
  // What breaks is told by what is asked next.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** What PostgreSQL, the driver or the system says of a connection that failed, as one line. */
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
