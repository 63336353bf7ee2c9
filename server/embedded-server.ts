/** A server inside the process of another program: `startServer` of `mergeyard/server`. */

import { pino, type Logger } from 'pino'
import { serverDefaults } from './server-defaults.ts'
import { startServer, type ServerOptions } from './server.ts'

export type EmbeddedServerOptions = Partial<ServerOptions> & {
  /** The folder with all data of the server. It is created if it does not exist. */
  readonly data: string
  /** The logger of the server. Default: no log. */
  readonly logger?: Logger
  /** Called with a new admin token if there was none. Default: the token is written to the log. */
  readonly onFirstToken?: (secret: string) => void
  /**
   * Called when the command log cannot be written any more. The server then rejects every change;
   * the caller must call `stop`. Default: the server stops itself.
   */
  readonly onFailure?: () => void
}

export type EmbeddedServer = {
  /** The address with the actual port: `http://127.0.0.1:3000`. */
  readonly url: string
  /** Stops the server; settles when everything is written and the data folder is unlocked. */
  readonly stop: () => Promise<void>
}

/**
 * Starts an HTTP server; settles when it listens. `port: 0` selects a free port. The server responds
 * to a change only after it is on disk.
 *
 * Throws an error with a message for the administrator if the data folder is in use or damaged, or
 * if the port is in use.
 */
export async function startEmbeddedServer({
  logger = pino({ enabled: false }),
  onFirstToken = (secret) => logger.warn({ secret }, 'a new admin token, shown only here'),
  onFailure,
  ...options
}: EmbeddedServerOptions): Promise<EmbeddedServer> {
  let running: EmbeddedServer | null = null
  const stopRunning = (): void => void running?.stop()
  const ports = { logger, onFirstToken, onFailure: onFailure ?? stopRunning }
  const { url, stop } = await startServer({ ...serverDefaults, ...options }, ports)
  running = { url, stop }
  return running
}
