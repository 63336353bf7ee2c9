/** Runs a server that shares its log with others, until it is stopped. */

import { startSharedServer, type SharedServerOptions } from '../../../server/shared-server.ts'
import type { CliContext } from '../../../terminal/command.ts'
import { serveUntilStopped, type ServePorts } from './serve.ts'

/** Returns the exit code. Throws `StoreFault` for a store that cannot be used. */
export function serveShared(
  options: SharedServerOptions,
  context: CliContext,
  { readReports, ...ports }: ServePorts = {},
): Promise<number> {
  return serveUntilStopped(
    (logs) => startSharedServer(options, { ...logs, ...(readReports ? { readReports } : {}) }),
    context,
    ports,
  )
}
