/** Runs a server that shares its log with others, until it is stopped. */

import { StoreFault } from '../../../server/postgres/store-fault.ts'
import { startSharedServer, type SharedServerOptions } from '../../../server/shared-server.ts'
import { exitCodes, type CliContext } from '../../../sim/terminal/context.ts'
import { writeAll } from '../../../sim/terminal/output.ts'
import { serveUntilStopped } from './serve.ts'

/** Returns the exit code: 2 for a store that cannot be used. */
export async function serveShared(
  options: SharedServerOptions,
  context: CliContext,
): Promise<number> {
  try {
    return await serveUntilStopped((ports) => startSharedServer(options, ports), context)
  } catch (error) {
    if (!(error instanceof StoreFault)) throw error
    await writeAll(context.stderr, [`mergeyard start: ${error.message}\n`])
    return exitCodes.badInput
  }
}
