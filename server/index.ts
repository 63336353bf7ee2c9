/** The server as a library, `mergeyard/server`: a whole server in the process of the caller. */

import { pino, type Logger } from 'pino'
import { serverDefaults } from './server-defaults.ts'
import { startServer as startOn, type ServerOptions as AllOptions } from './server.ts'

export type ServerOptions = Partial<AllOptions> & {
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

export type RunningServer = {
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
export async function startServer({
  logger = pino({ enabled: false }),
  onFirstToken = (secret) => logger.warn({ secret }, 'a new admin token, shown only here'),
  onFailure,
  ...options
}: ServerOptions): Promise<RunningServer> {
  let running: RunningServer | null = null
  const stopRunning = (): void => void running?.stop()
  const ports = { logger, onFirstToken, onFailure: onFailure ?? stopRunning }
  const { url, stop } = await startOn({ ...serverDefaults, ...options }, ports)
  running = { url, stop }
  return running
}
