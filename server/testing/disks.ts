/**
 * A disk that is too small: a tmpfs, in a namespace of mounts that ends with the program that uses it. So
 * nothing stays mounted, whatever happens.
 */

import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { createServer } from 'node:http'
import { pino } from 'pino'
import { QueueManager } from '../queues/queue-manager.ts'
import { entranceOf } from '../queues/entrance.ts'
import { requestTimeouts } from '../http/limits.ts'
import { listening } from './listening.ts'
import { createApp } from '../app.ts'
import type { Caller } from '../auth/tokens.ts'
import { Failures } from '../auth/gate.ts'
import { Counts } from '../history/counts.ts'
import { CommandLog, type CommandLogPorts } from '../store/command-log.ts'
import { dataFolder, makeDataFolder, type DataFolder } from '../store/data-folder.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { SegmentFile } from '../store/segment.ts'

/** Needs a user who may mount in a namespace of their own; most containers do not allow it. */
export function canMount(): boolean {
  const mounts = ['-rm', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', '/tmp']
  return spawnSync('unshare', mounts).status === 0
}

/** Needs the root of the machine: the program may then start others as another user. */
export function canMountAsRoot(): boolean {
  const mounts = ['-m', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', '/tmp']
  return process.getuid?.() === 0 && spawnSync('unshare', mounts).status === 0
}

/** Runs a compiled program that mounts disks, and returns what it printed. */
export function withMounts(program: string, ...args: readonly string[]): Promise<unknown> {
  return told(['-rm', process.execPath, program, ...args])
}

/** The same for a program that needs other users. */
export function withMountsAsRoot(program: string, ...args: readonly string[]): Promise<unknown> {
  return told(['-m', process.execPath, program, ...args])
}

async function told(command: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)('unshare', command)
  const found: unknown = JSON.parse(stdout)
  return found
}

/** For such a program: a new disk at a folder. */
export function mountDisk(folder: string, size: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
}

/** Makes room. Of a folder alone, mount repeats options that only root may give. */
export function growDisk(folder: string, size: string): void {
  mountDisk(folder, `${size},remount`)
}

// A server whose disk fails: the file of its command log is already closed.

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
  const logger = pino({ base: null }, { write: (line: string) => void lines.push(line) })
  const app = createApp({
    enter: entranceOf(
      new QueueManager(new QueueRegistry({ wakeAt: () => undefined }), { now: Date.now, log }),
    ),
    gateParts: {
      auth: { callerOf: (secret) => (secret === 'admin' ? admin : null) },
      failures: new Failures(),
      refusals: new Counts(),
    },
    logger,
    accessLog: logger,
    onRequest: () => undefined,
    hosting: { of: () => null, all: [] },
    timeouts: requestTimeouts,
    hooks: [],
    warnings: () => [],
    servePages: () => undefined,
    stateCase: 'upper',
    metricsOf: () => '',
    figuresText: () => Promise.resolve(''),
    isReady: () => log.failure === null,
  })
  const port = await listening(createServer(app))
  return { url: `http://127.0.0.1:${port}`, log: lines }
}

// Segments and ports of a command log, in tests without a store.

export function beginFirstSegment(folder: DataFolder): Promise<SegmentFile> {
  const header = { segment: 1, after: 0, epoch: '0123456789', rules: 'of a test', previous: null }
  return SegmentFile.begin(folder, header)
}

/** A folder without another server. */
export const undisturbed: CommandLogPorts = {
  checkSole: () => undefined,
  marker: { move: () => undefined, close: () => Promise.resolve() },
  onCommit: () => undefined,
  onFailure: () => undefined,
}
