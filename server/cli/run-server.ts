/** Runs a server in this process until it is stopped. */

import { setFlagsFromString } from 'node:v8'
import { pino, type DestinationStream } from 'pino'
import { startServer, type ServerOptions, type ServerPorts } from '../server.ts'
import type { SharedServerOptions } from '../shared-server.ts'
import { exitCodes, type CliContext } from '../terminal/command.ts'
import { isTerminalStream } from '../terminal/output.ts'
import { stopSignal, untilAborted } from '../terminal/signals.ts'
import { toTerminal } from '../terminal/visible.ts'

/**
 * How much the heap may grow before a garbage collection, in percent of the used heap, after the
 * state is restored. By default Node lets it grow fourfold if the machine has free memory. The server
 * retains almost all of its objects, so a larger heap has no benefit.
 */
const heapGrowthPercent = 30

/** Lines of the access log wait for this many bytes, but not longer than this. */
const accessLogBuffer = { minLength: 8_192, periodicFlush: 100 } as const

export type ServePorts = Pick<ServerPorts, 'readReports'> & {
  /** Settles before the address is printed. */
  readonly onListening?: (url: string) => Promise<void>
}

/** With a store, the server shares its log there with others. */
export type RunOptions = ServerOptions & { readonly store: string | null }

/**
 * Starts a server, prints its address, and serves until SIGINT, SIGTERM or a failure. Returns the exit code. Throws if
 * the server cannot start.
 */
export async function runServer(
  { store, ...options }: RunOptions,
  { stdout, stderr, env, signal: interrupted }: CliContext,
  { onListening, ...readers }: ServePorts = {},
): Promise<number> {
  const logTo = (lines: DestinationStream): DestinationStream =>
    isTerminalStream(stderr) ? { write: (line) => lines.write(toTerminal(line)) } : lines
  const logger = pino({ base: null }, logTo(pino.destination({ fd: 2, sync: true })))
  // A write for each request would cost a tenth of its time.
  const lines = pino.destination({ fd: 2, sync: true, ...accessLogBuffer })
  const accessLog = pino({ base: null }, logTo(lines))
  process.on('uncaughtExceptionMonitor', (error) => logger.fatal({ err: error }, 'uncaught'))
  const failure = new AbortController()
  const ports: ServerPorts = {
    ...readers,
    logger,
    accessLog,
    onFirstToken: (secret) => {
      stdout.write(`Admin token, not shown again: ${secret}\n`)
    },
    onFailure: () => failure.abort(),
  }
  const server =
    store === null ? await startServer(options, ports) : await shared({ ...options, store }, ports)
  await onListening?.(server.url)
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`)
  // Before the text, because who reads it may stop the server at once.
  const stop = stopSignal(interrupted, env)
  const place = store === null ? `Its data is in ${options.data}\n` : ''
  stdout.write(
    `Mergeyard listens on ${server.url}, API documentation: ${server.url}/docs\n${place}`,
  )
  await untilAborted(stop, failure.signal)
  const reason: unknown = stop.reason
  logger.info({ signal: reason }, 'stopping')
  await server.stop()
  lines.flushSync()
  return failure.signal.aborted ? exitCodes.failure : exitCodes.success
}

/** Only a shared server needs the driver of a database. */
async function shared(
  options: SharedServerOptions,
  ports: ServerPorts,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const { startSharedServer } = await import('../shared-server.ts')
  return startSharedServer(options, ports)
}
