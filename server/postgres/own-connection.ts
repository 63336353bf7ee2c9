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
