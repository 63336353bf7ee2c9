/** The server as a process: options in, a running server, and an orderly end. */

import { setFlagsFromString } from 'node:v8'
import { pino } from 'pino'
import { BadOption, helpText, readOptions } from './options.ts'
import { startServer } from './server.ts'

const exitCode = { failed: 1, badInput: 2 } as const

/**
 * How far memory may grow before it is cleaned up, as a share of what is in use, once all was read
 * back. By itself Node lets it grow fourfold on a machine with memory to spare; what the server
 * knows is long-lived, so that buys nothing.
 */
const heapGrowthPercent = 30

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options === null) {
    process.stdout.write(helpText)
    return
  }
  const logger = pino({ base: null }, pino.destination({ fd: 2, sync: true }))
  process.on('uncaughtExceptionMonitor', (error) => logger.fatal({ err: error }, 'uncaught'))
  const server = await startServer(options, {
    logger,
    onFirstToken: (secret) => {
      process.stdout.write(`An admin token, shown this once: ${secret}\n`)
    },
    onFailure: () => {
      process.exitCode = exitCode.failed
      process.kill(process.pid, 'SIGTERM')
    },
  })
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`)
  process.stdout.write(
    `Mergeyard listens on ${server.url}, and explains itself at ${server.url}/docs\n`,
  )
  let stopping: Promise<void> | null = null
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // It may come twice, to the whole group and from whoever started this: that is one wish.
    process.on(signal, () => {
      if (!stopping) logger.info({ signal }, 'stopping')
      stopping ??= server.stop()
    })
  }
}

try {
  await main()
} catch (error) {
  const text = error instanceof Error ? error.message : String(error)
  process.stderr.write(`mergeyard: ${text}\n`)
  process.exitCode = error instanceof BadOption ? exitCode.badInput : exitCode.failed
}
