/** A server whose disk fails: the file of its command log is already closed. */

import { entranceOf, QueueManager } from '../queues/queue-manager.ts'
import { createServer } from 'node:http'
import { pino } from 'pino'
import { listening } from './listening.ts'
import { createApp } from '../app.ts'
import type { Caller } from '../auth/tokens.ts'
import { Failures, Refusals } from '../auth/gate.ts'
import { CommandLog } from '../store/command-log.ts'
import { dataFolder, makeDataFolder } from '../store/data-folder.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'
import { beginFirstSegment, undisturbed } from './segments.ts'
import { temporaryFolder } from './test-server.ts'

const admin: Caller = { id: 'a', name: 'admin', scope: 'admin', repos: null, expiresAt: null }

export type BrokenServer = { readonly url: string; readonly log: readonly string[] }

/** Starts the server; its only token is `admin`. It stops when the test ends. */
export async function startOnBrokenDisk(): Promise<BrokenServer> {
  const lines: string[] = []
  const folder = dataFolder(temporaryFolder())
  makeDataFolder(folder)
  const file = await beginFirstSegment(folder)
  await file.close()
  const log = new CommandLog(folder, file, undisturbed)
  const app = createApp({
    enter: entranceOf(
      new QueueManager(new QueueRegistry({ wakeAt: () => undefined }), { now: Date.now, log }),
    ),
    gateParts: {
      auth: { callerOf: (secret) => (secret === 'admin' ? admin : null) },
      failures: new Failures(),
      refusals: new Refusals(),
    },
    logger: pino({ base: null }, { write: (line: string) => void lines.push(line) }),
    stateCase: 'upper',
    metricsOf: () => '',
    figuresText: () => Promise.resolve(''),
    isReady: () => log.failure === null,
  })
  const port = await listening(createServer(app))
  return { url: `http://127.0.0.1:${port}`, log: lines }
}
