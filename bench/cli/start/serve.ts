/** Runs a server in this process until it is stopped. */

import { setFlagsFromString } from 'node:v8'
import { pino, type DestinationStream } from 'pino'
import { startServer, type ServerOptions, type ServerPorts } from '../../../server/server.ts'
import { exitCodes, type CliContext } from '../../../terminal/command.ts'
import { isTerminalStream } from '../../../terminal/output.ts'
import { stopSignal, untilAborted } from '../../../terminal/signals.ts'
import { toTerminal } from '../../../terminal/visible.ts'

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

/** Serves until SIGINT, SIGTERM or a failure. Returns the exit code. Throws if the server cannot start. */
export function serve(
  options: ServerOptions,
  context: CliContext,
  { readReports, onListening }: ServePorts = {},
): Promise<number> {
  return serveUntilStopped(
    (ports) => startServer(options, { ...ports, ...(readReports ? { readReports } : {}) }),
    context,
    { ...(onListening ? { onListening } : {}), data: options.data },
  )
}

type Started = { readonly url: string; readonly stop: () => Promise<void> }

/** Starts a server, prints its address, and waits for its end. */
export async function serveUntilStopped(
  start: (ports: ServerPorts) => Promise<Started>,
  { stdout, stderr, env, signal: interrupted }: CliContext,
  { onListening, data }: Pick<ServePorts, 'onListening'> & { readonly data?: string },
): Promise<number> {
  const logTo = (lines: DestinationStream): DestinationStream =>
    isTerminalStream(stderr) ? { write: (line) => lines.write(toTerminal(line)) } : lines
  const logger = pino({ base: null }, logTo(pino.destination({ fd: 2, sync: true })))
  // A write for each request would cost a tenth of its time.
  const lines = pino.destination({ fd: 2, sync: true, ...accessLogBuffer })
  const accessLog = pino({ base: null }, logTo(lines))
  process.on('uncaughtExceptionMonitor', (error) => logger.fatal({ err: error }, 'uncaught'))
  const failure = new AbortController()
  const server = await start({
    logger,
    accessLog,
    onFirstToken: (secret) => {
      stdout.write(`Admin token, not shown again: ${secret}\n`)
    },
    onFailure: () => failure.abort(),
  })
  await onListening?.(server.url)
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`)
  // Before the text, because who reads it may stop the server at once.
  const stop = stopSignal(interrupted, env)
  const place = data === undefined ? '' : `Its data is in ${data}\n`
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
