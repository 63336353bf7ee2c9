/** Runs a server in this process until it is stopped. */

import { setFlagsFromString } from 'node:v8'
import { pino, type DestinationStream } from 'pino'
import { nameAmong, nameOfQueue } from '../identity/queue-ref.ts'
import { startServer, type ServerOptions, type ServerPorts } from '../server.ts'
import type { SharedServerOptions } from '../shared-server.ts'
import { exitCodes, type CliContext } from '../terminal/command.ts'
import { isTerminalStream, writeText } from '../terminal/output.ts'
import { stopSignal, untilAborted } from '../terminal/signals.ts'
import { toTerminal } from '../terminal/text.ts'
import { blockedPorts } from '../webhooks/post.ts'
import type { AppliedCommand } from '../queues/publisher.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import { clock, Story, warningIn } from './story.ts'

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
  /** What is printed below the address in a terminal. */
  readonly introduced?: (url: string) => string
  /** What is said before the start, in the form of the log; empty: nothing. */
  readonly warning?: string
}

/** What is written while the server runs: the story of its queues, JSON, or JSON with every request. */
export type Log = 'story' | 'json' | 'debug'

/** With a store, the server shares its log there with others. */
export type RunOptions = ServerOptions & {
  readonly store: string | null
  /** Null: the story of the queues in a terminal, else JSON. */
  readonly log: Log | null
}

/**
 * Starts a server, prints its address, and serves until SIGINT, SIGTERM or a failure. Returns the exit code. Throws if
 * the server cannot start.
 */
export async function runServer(
  { store, log, ...options }: RunOptions,
  { stdout, stderr, env, signal: interrupted }: CliContext,
  { onListening, introduced, warning = '', ...readers }: ServePorts = {},
): Promise<number> {
  const logTo = (lines: DestinationStream): DestinationStream =>
    isTerminalStream(stderr) ? { write: (line) => lines.write(toTerminal(line)) } : lines
  const isStory = log === 'story' || (log === null && store === null && isTerminalStream(stderr))
  const tell = (text: string): void => void writeText(stderr, text)
  const logger = pino(
    { base: null },
    isStory
      ? { write: (line) => tell(warningIn(line, (options.hosting?.length ?? 0) > 1)) }
      : logTo(pino.destination({ fd: 2, sync: true })),
  )
  // A write for each request would cost a tenth of its time.
  const lines = pino.destination({ fd: 2, sync: true, ...accessLogBuffer })
  const accessLog = pino({ base: null, enabled: log === 'debug' }, logTo(lines))
  const logUncaught = (error: Error): void => logger.fatal({ err: error }, 'uncaught')
  process.on('uncaughtExceptionMonitor', logUncaught)
  const storyOut = isStory ? tell : null
  // In the form of the log: who reads JSON reads nothing else.
  const warn = (who: string, words: string): void => {
    if (words === '') return
    if (storyOut) storyOut(`${who}: ${words}\n`)
    else logger.warn(words)
  }
  warn('serve', warning)
  warn('mergeyard', warningOfPort(options.port))
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
    store === null
      ? await started(options, ports, storyOut)
      : await shared({ ...options, store }, ports, storyOut)
  await announced(server, onListening)
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`)
  // Before the text, because who reads it may stop the server at once.
  const stop = stopSignal(interrupted, env)
  const place = store === null ? `Its data is in ${options.data}\n` : ''
  const intro = introduced && isTerminalStream(stdout) ? `\n${introduced(server.url)}\n` : ''
  const listens = `Mergeyard listens on ${server.url}, API documentation: ${server.url}/docs\n`
  void writeText(stdout, `${listens}${place}${intro}`)
  await untilAborted(stop, failure.signal)
  const reason: unknown = stop.reason
  logger.info({ signal: reason }, 'stopping')
  await server.stop()
  process.off('uncaughtExceptionMonitor', logUncaught)
  lines.flushSync()
  if (isStory) tell('mergeyard: stopped\n')
  return failure.signal.aborted ? exitCodes.failure : exitCodes.success
}

/** A server whose start fails at its end would go on to serve, and no signal would stop it in order. */
async function announced(
  { url, stop }: Started,
  onListening: ServePorts['onListening'],
): Promise<void> {
  try {
    await onListening?.(url)
  } catch (error) {
    await stop()
    throw error
  }
}

/** Empty for a port of which there is nothing to say. */
export function warningOfPort(port: number): string {
  return blockedPorts.has(port) && port !== 0
    ? `browsers and the commands of Mergeyard reach no server on port ${port}, which belongs to another protocol: choose another one with --port`
    : ''
}

/** What happens in the queues, command by command. */
type Follow = (applied: AppliedCommand, registry: QueueRegistry) => void

type Tell = (text: string) => void

/** Writes the story of all queues. */
function storyTo(tell: Tell): Follow {
  const stories = new Map<string, Story>()
  return ({ queue: ref, events, at }, registry) => {
    if (!ref) return
    const name = nameOfQueue(ref)
    const story = stories.get(name) ?? new Story()
    stories.set(name, story)
    const refs = [...registry.queues].map((queue) => queue.ref)
    const widest = Math.max(...refs.map((each) => nameAmong(each, refs).length))
    const stamp = widest === 0 ? clock(at) : `${clock(at)}  ${nameAmong(ref, refs).padEnd(widest)}`
    tell(story.linesOf(events, stamp, registry.findRunning(name) ?? null))
  }
}

type Started = { readonly url: string; readonly stop: () => Promise<void> }

/** `tell`: null if nobody reads the story. */
async function started(
  options: ServerOptions,
  ports: ServerPorts,
  tell: Tell | null,
): Promise<Started> {
  const server = await startServer(options, ports)
  const { registry } = server.manager
  const follow = tell && storyTo(tell)
  if (follow) server.manager.subscribe((applied) => follow(applied, registry))
  return server
}

/** Only a shared server needs the driver of a database. */
async function shared(
  options: SharedServerOptions,
  ports: ServerPorts,
  tell: Tell | null,
): Promise<Started> {
  const { startSharedServer } = await import('../shared-server.ts')
  return startSharedServer(options, tell ? { ...ports, onCommitted: storyTo(tell) } : ports)
}
