/** Data folders with recorded commands, made without a server, and what becomes of damaged ones. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { logFormat, type LogEntry, type RecordedCommand } from '../../engine/index.ts'
import { dataFolder, makeDataFolder, segmentFile, type DataFolder } from '../store/data-folder.ts'
import { recover } from '../store/recover.ts'
import { checkedBytes } from '../files/checked-line.ts'
import { entryLine } from '../store/segment.ts'
import { snapshotLines } from '../store/snapshot-file.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'
import { start } from './test-server.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'

export const silent = { wakeAt: (): void => undefined }

const queue = 'github.com/acme/shop:main'
/** Minutes: no timeout is due for thousands of years, so that a started server adds no command. */
const never = 4_294_967_295
const set = {
  batch: true,
  batchingMinSize: 2,
  batchingMaxWaitTimeMinutes: never,
  testingTimeoutMinutes: never,
  concurrency: 2,
} as const

/** The log of a queue with batches, a failure, a bisection and a late report: over 70 entries. */
export function entries(): LogEntry[] {
  const registry = new QueueRegistry(silent)
  const accepted: LogEntry[] = []
  const send = (command: RecordedCommand, name: string | null = queue): void => {
    const entry = { sequence: registry.sequence + 1, at: 1_769_774_400_000, queue: name, command }
    const at = entry.at + 1_000 * entry.sequence
    if (registry.apply({ ...entry, at }).accepted) accepted.push({ ...entry, at })
  }
  send({ type: 'createQueue', incarnation: '0c9a5a2e-5b1f-4a33-8c1d-111111111111', set })
  const engine = registry.find(queue)?.engine
  for (let number = 1; number <= 40; number++) {
    send({ type: 'submitPullRequest', number, sha: `sha-${number}` })
    if (number % 7 === 0) send({ type: 'cancelPullRequest', number, reason: 'USER_REQUESTED' })
    for (const run of Object.values(engine?.queue.testRuns ?? {})) {
      const breaks = run.tested.includes(number - (number % 5))
      const failedTests = breaks ? [{ name: 'pays twice', file: 'a "quoted" ü file' }] : []
      const outcome = breaks ? 'failed' : 'passed'
      send({ type: 'finishTestRun', testRun: run.id, outcome, failedTests })
    }
  }
  send({ type: 'setImpactedTargets', number: 99, targets: ['web', 'api'], sha: 'early' })
  return accepted
}

/** Returns the entry with this index, from 0. */
export function entryAt(all: readonly LogEntry[], index: number): LogEntry {
  const entry = all[index]
  if (!entry) throw new Error(`there are only ${all.length} entries`)
  return entry
}

/** The header of a segment as version 1 wrote it. */
export function versionOneHeader(segment: number, after: number): Buffer {
  return checkedBytes({ log: logFormat, version: 1, segment, after })
}

/** Writes entries as a log of version 1; a new segment begins after each of these numbers of entries. */
export function recorded(all: readonly LogEntry[], ...cuts: readonly number[]): DataFolder {
  const folder = dataFolder(temporaryFolder())
  makeDataFolder(folder)
  const starts = [0, ...cuts]
  for (const [index, first] of starts.entries()) {
    const lines = all.slice(first, starts[index + 1]).flatMap((entry) => [...entryLine(entry)])
    const bytes = Buffer.concat([versionOneHeader(index + 1, first), ...lines])
    writeFileSync(segmentFile(folder, index + 1), bytes)
  }
  return folder
}

/**
 * The complete state of a registry, as text to compare. Without the epochs, because each start draws
 * another.
 */
export function textOf(registry: QueueRegistry): string {
  const { sequence, at } = registry
  const lines = [...snapshotLines({ ...registry.state(), epochs: [] })]
  return [{ sequence, at }, ...lines].map((line) => JSON.stringify(line)).join('\n')
}

export async function recoveredText(folder: DataFolder): Promise<string> {
  return textOf((await recover(folder, silent)).registry)
}

/** The content of every file in a folder, to check that no file has changed. */
export function filesIn({ path }: DataFolder): Record<string, string> {
  const names = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  return Object.fromEntries(names.map((name) => [name, readFileSync(name, 'latin1')]))
}

/** Starts a server, which must fail and change no file. Returns the message of the error. */
export async function startError(folder: DataFolder): Promise<string> {
  const before = filesIn(folder)
  const error: unknown = await start(folder.path).catch((reason: unknown) => reason)
  expect(filesIn(folder)).toEqual(before)
  return error instanceof Error ? error.message.replaceAll(folder.path, '.') : 'it started'
}
