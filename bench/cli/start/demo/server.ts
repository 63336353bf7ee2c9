/** The server of a demo: in this process, with a faster clock and its log in a file. */

import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { startServer, type RunningServer, type ServerOptions } from '../../../../server/server.ts'

/** Starts the server. Throws like `startServer`. Calls `onFailure` if the data cannot be written. */
export async function startDemoServer(
  options: ServerOptions,
  onFailure: () => void,
): Promise<RunningServer> {
  // A server that fails to start must not write a log, because the folder may belong to another server.
  const early: string[] = []
  let file: number | null = null
  const write = (line: string): void => {
    if (file === null) early.push(line)
    else writeSync(file, line)
  }
  const server = await startServer(options, {
    logger: pino({ base: null }, { write }),
    // A demo always has a token.
    onFirstToken: () => undefined,
    onFailure,
  })
  const log = openSync(join(options.data, 'server.log'), 'w', 0o600)
  file = log
  for (const line of early) write(line)
  const stop = async (): Promise<void> => {
    await server.stop()
    file = null
    closeSync(log)
  }
  return { ...server, stop }
}
