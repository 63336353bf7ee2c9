/** A server of a test that works on repositories: it is quiet, and its only token is `secret`. */

import { pino, type Logger } from 'pino'
import { serverDefaults } from '../../server-defaults.ts'
import { startServer, type RunningServer, type ServerPorts } from '../../server.ts'
import type { HostOptions } from '../options.ts'

export type HostedServerPorts = Pick<ServerPorts, 'codeHost' | 'hold' | 'time'> & {
  /** Gets the log of the server. */
  readonly logger?: Logger
}

const longestMs = 300_000

/** For a program that a test starts: it ends and tells what it waits for, where its test could only say that it hangs. */
export function endWhenStuck(seen: () => unknown): void {
  const end = (): never => {
    throw new Error(`not over after ${longestMs / 1_000} s: ${JSON.stringify(seen())}`)
  }
  setTimeout(end, longestMs).unref()
}

/** The server of a data folder. */
export function startHosting(
  data: string,
  hosting: readonly HostOptions[],
  ports: HostedServerPorts = {},
): Promise<RunningServer> {
  return startServer(
    { ...serverDefaults, port: 0, data, token: 'secret', hosting },
    {
      logger: pino({ enabled: false }),
      onFirstToken: () => undefined,
      onFailure: () => undefined,
      ...ports,
    },
  )
}
