/**
 * The persistence of a server: locks, reads and then writes one data folder.
 *
 * The order at the start matters: lock the folder, read everything, and change files only if all of
 * them are valid. The only change is a new segment, whose header names the end of the log that was
 * read. So whatever another writer still appends behind that end is not part of the log.
 */

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Logger } from 'pino'
import type { Millis } from '../../engine/index.ts'
import { type HeldLock, holdLock, type ProcessIdentity, thisProcess } from '../files/lock.ts'
import { drawEpoch } from '../identity/ids.ts'
import type { QueueRegistry, RegistryPorts } from '../queues/queue-registry.ts'
import { checkEnd, warnOfRest, EndMarker } from './end-marker.ts'
import { CommandLog, soleWriter } from './command-log.ts'
import {
  type DataFolder,
  lockLost,
  beginningFile,
  isOpenToOthers,
  makeDataFolder,
  refuseHalfRestored,
  segmentFile,
  segmentsIn,
} from './data-folder.ts'
import {
  type Recovered,
  type SnapshotPosition,
  firstSegment,
  recover,
  rulesVersion,
} from './recover.ts'
import { SegmentFile } from './segment.ts'
import { Snapshotter, smallHeap } from './snapshotter.ts'
import { olderFaultsIn } from './verify.ts'
import { inThread, TaskThread } from '../timing/task-thread.ts'

const hourMs = 60 * 60_000

export type StoreOptions = {
  readonly logger: Logger
  /** Segments of the log that are older, in days, are removed; null keeps all. */
  readonly keepDays: number | null
  readonly ports: RegistryPorts
  /** Called when the log cannot be written; the server must stop. */
  readonly onFailure: (error: Error) => void
  /** The folder was just restored from a backup; the log records that. */
  readonly isRestored?: true
  /** Called when no other server can be at work in the folder, before anything but the lock is written. */
  readonly makeRoom?: () => Promise<void>
  /** How other processes know this one. */
  readonly process?: ProcessIdentity
}

export type Store = {
  readonly registry: QueueRegistry
  readonly log: CommandLog
  /** The faults found in older files so far. */
  readonly faults: () => readonly string[]
  /** Writes pending entries and a snapshot, and unlocks the folder. */
  readonly close: () => Promise<void>
}

/**
 * Opens the store. Throws `FolderInUse`, `DamagedData`, `NewerData` or `OtherRules`, without a change
 * of any file; and `FolderTaken`, if another server was faster.
 */
export async function openStore(folder: DataFolder, options: StoreOptions): Promise<Store> {
  const { logger, ports } = options
  makeDataFolder(folder)
  if (isOpenToOthers(folder))
    logger.warn({ folder: folder.path }, 'other users may read this folder')
  let onLost = (): void => undefined
  refuseHalfRestored(folder)
  const lock = holdLock(folder.lock, () => onLost(), options.process ?? thisProcess())
  try {
    removeDrafts(folder)
    await options.makeRoom?.()
    const recovered = await recover(folder, ports)
    const { registry, snapshot } = recovered
    checkEnd(folder, recovered, logger)
    logger.info({ commands: registry.sequence, snapshot }, 'restored the state')
    warnOfRest(folder, recovered, logger)
    const file = await nextSegment(folder, recovered, options)
    const store = await openedStore(folder, { options, recovered, file, lock })
    onLost = () => store.log.abandon(lockLost(folder))
    return store
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Removes snapshots that were being written when a server was killed; only the server that has the lock writes any. */
function removeDrafts({ path, snapshot }: DataFolder): void {
  const start = `.${basename(snapshot)}.`
  for (const name of readdirSync(path)) if (name.startsWith(start)) rmSync(join(path, name))
}

/** Begins a segment with a new epoch, behind everything that was read. */
async function nextSegment(
  folder: DataFolder,
  { end, registry }: Recovered,
  { isRestored }: StoreOptions,
): Promise<SegmentFile> {
  const epoch = drawEpoch()
  const previous = end && { segment: end.segment, bytes: end.bytes, crc: end.crc }
  const header = {
    segment: (segmentsIn(folder).at(-1) ?? firstSegment - 1) + 1,
    after: registry.sequence,
    epoch,
    rules: rulesVersion(),
    previous,
    ...(isRestored ? { isRestored } : {}),
  }
  const file = await SegmentFile.begin(folder, header)
  registry.beginEpoch(epoch)
  return file
}

type StoreParts = {
  readonly options: StoreOptions
  readonly recovered: Recovered
  readonly file: SegmentFile
  readonly lock: HeldLock
}

async function openedStore(
  folder: DataFolder,
  { options, recovered, file, lock }: StoreParts,
): Promise<Store> {
  const { logger, keepDays, onFailure } = options
  const checkSole = soleWriter(folder, lock)
  checkSole(file)
  const marker = await EndMarker.create(folder, file.end)
  const removeOld = (): void => {
    const neededFrom = snapshotter.last.segment
    const removed = removeOldSegments(folder, { days: keepDays, now: Date.now(), neededFrom })
    if (removed.length > 0) logger.info({ removed }, 'removed old segments of the command log')
  }
  const snapshotter = new Snapshotter(folder, recovered, {
    onDone: (snapshot) => {
      logger.info({ snapshot }, 'wrote a snapshot')
      removeOld()
    },
    onFailure: (error) => {
      // Then the server stops, and has said why.
      if (log.failure) return
      logger.error(
        { err: error },
        'could not write a snapshot; no data is lost, the log contains everything',
      )
    },
  })
  const log = new CommandLog(folder, file, {
    checkSole,
    marker,
    onCommit: () => snapshotter.consider(log),
    onFailure,
  })
  removeOld()
  snapshotter.consider(log)
  const check = new BackgroundCheck(folder, recovered.snapshot, logger)
  const hourly = setInterval(removeOld, hourMs).unref()
  const close = async (): Promise<void> => {
    clearInterval(hourly)
    await check.stop()
    await snapshotter.catchUp(log)
    await log.close()
    await lock.release()
  }
  return { registry: recovered.registry, log, faults: () => check.faults, close }
}

/**
 * Verifies the files that a start does not read, after the start and without slowing it. The
 * server works without them, so a fault is only logged.
 */
class BackgroundCheck {
  #faults: readonly string[] = []
  #isStopped = false
  readonly #thread = new TaskThread(new URL('./verify.js', import.meta.url), olderFaultsIn, {
    what: 'the check of the older files',
    memory: smallHeap,
  })

  /** Begins, if there are segments that the start has not read. */
  constructor(folder: DataFolder, snapshot: SnapshotPosition, logger: Logger) {
    const [oldest = snapshot.segment] = segmentsIn(folder)
    if (oldest < snapshot.segment) void this.#begin(folder, logger)
  }

  async #begin(folder: DataFolder, logger: Logger): Promise<void> {
    try {
      this.#faults = await inThread(this.#thread, folder)
      for (const fault of this.#faults) logger.error({ fault }, 'an older file is damaged')
      if (this.#faults.length === 0) logger.info('verified the older files')
    } catch (error) {
      if (!this.#isStopped) logger.error({ err: error }, 'could not verify the older files')
    }
  }

  /** The faults found so far. */
  get faults(): readonly string[] {
    return this.#faults
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#thread.close()
  }
}

// Removes segments of the command log that are older than the retention time, with the snapshots
// at which they begin. Removes only the oldest segments, and none that a start needs.

const dayMs = 24 * 60 * 60_000

type Keep = {
  /** Null keeps everything. */
  readonly days: number | null
  readonly now: Millis
  /** The segment that begins at the current snapshot; it and the later ones are needed. */
  readonly neededFrom: number
}

/** Returns the removed segments. */
export function removeOldSegments(folder: DataFolder, { days, now, neededFrom }: Keep): number[] {
  if (days === null) return []
  const oldest = now - days * dayMs
  const segments = segmentsIn(folder)
  const isOld = (segment: number): boolean =>
    segment < neededFrom && statSync(segmentFile(folder, segment)).mtimeMs < oldest
  const firstYoung = segments.find((segment) => !isOld(segment)) ?? 0
  // The oldest segment that is kept begins at a snapshot, so that the rest can be replayed.
  const firstKept = segments.findLast(
    (segment) => segment <= firstYoung && hasBeginning(folder, segment, neededFrom),
  )
  const removed: number[] = []
  for (const segment of segments) {
    if (segment >= (firstKept ?? 0)) break
    const file = segmentFile(folder, segment)
    // The segment first, because a snapshot without its segment is harmless.
    rmSync(file)
    rmSync(beginningFile(folder, segment), { force: true })
    removed.push(segment)
  }
  return removed
}

function hasBeginning(folder: DataFolder, segment: number, neededFrom: number): boolean {
  return segment === neededFrom || existsSync(beginningFile(folder, segment))
}
