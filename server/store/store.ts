/**
 * The persistence of a server: locks, reads and then writes one data folder.
 *
 * The order at the start matters: lock the folder, read everything, and change files only if all of
 * them are valid. The only change is to cut off an incomplete last line of the log.
 */

import { truncateSync } from 'node:fs'
import type { Logger } from 'pino'
import type { QueueRegistry, RegistryPorts } from '../queues/queue-registry.ts'
import { CommandLog } from './command-log.ts'
import { isOpenToOthers, makeDataFolder, segmentFile, type DataFolder } from './data-folder.ts'
import { takeLock } from '../files/lock.ts'
import { firstSegment, recover, type Recovered } from './recover.ts'
import { removeOldSegments } from './retention.ts'
import { SegmentFile } from './segment-file.ts'
import { Snapshotter } from './snapshotter.ts'

const hourMs = 60 * 60_000

export type StoreOptions = {
  readonly logger: Logger
  /** Segments of the log that are older, in days, are removed; null keeps all. */
  readonly keepDays: number | null
  readonly ports: RegistryPorts
  /** Called when the log cannot be written; the server must stop. */
  readonly onFailure: (error: Error) => void
}

export type Store = {
  readonly registry: QueueRegistry
  readonly log: CommandLog
  /** Writes pending entries and a snapshot, and unlocks the folder. */
  readonly close: () => Promise<void>
}

/** Opens the store. Throws `FolderInUse` or `DamagedData`, without a change of any file. */
export async function openStore(folder: DataFolder, options: StoreOptions): Promise<Store> {
  const { logger, ports } = options
  makeDataFolder(folder)
  if (isOpenToOthers(folder))
    logger.warn({ folder: folder.path }, 'other users may read this folder')
  const unlock = takeLock(folder.lock)
  try {
    const recovered = await recover(folder, ports)
    const { registry, snapshot } = recovered
    logger.info({ commands: registry.sequence, snapshot }, 'restored the state')
    const file = await lastSegment(folder, recovered, logger)
    return openedStore(folder, { options, recovered, file, unlock })
  } catch (error) {
    unlock()
    throw error
  }
}

/** Opens the segment to continue with; cuts off a last line that a crash left incomplete. */
async function lastSegment(
  folder: DataFolder,
  { end, registry }: Recovered,
  logger: Logger,
): Promise<SegmentFile> {
  const { sequence } = registry
  if (!end) return SegmentFile.begin(folder, firstSegment, sequence)
  const { segment, bytes, tornBytes } = end
  if (tornBytes > 0) {
    const file = segmentFile(folder, segment)
    logger.warn({ file, bytes, tornBytes }, 'cut off an incomplete last line, left by a crash')
    truncateSync(file, bytes)
  }
  if (bytes === 0) return SegmentFile.begin(folder, segment, sequence)
  return SegmentFile.reopen(folder, { segment, bytes, sequence })
}

type StoreParts = {
  readonly options: StoreOptions
  readonly recovered: Recovered
  readonly file: SegmentFile
  readonly unlock: () => void
}

function openedStore(folder: DataFolder, { options, recovered, file, unlock }: StoreParts): Store {
  const { logger, keepDays, onFailure } = options
  const removeOld = (): void => {
    const neededFrom = snapshotter.last.segment
    const removed = removeOldSegments(folder, { days: keepDays, now: Date.now(), neededFrom })
    if (removed.length > 0) logger.info({ removed }, 'removed old segments of the command log')
  }
  const snapshotter = new Snapshotter(folder, recovered.snapshot, {
    onDone: (snapshot) => {
      logger.info({ snapshot }, 'wrote a snapshot')
      removeOld()
    },
    onFailure: (error) =>
      logger.error(
        { err: error },
        'could not write a snapshot; no data is lost, the log contains everything',
      ),
  })
  const log = new CommandLog(folder, file, {
    onCommit: () => snapshotter.consider(log),
    onFailure,
  })
  removeOld()
  const hourly = setInterval(removeOld, hourMs).unref()
  const close = async (): Promise<void> => {
    clearInterval(hourly)
    await snapshotter.catchUp(log)
    await log.close()
    unlock()
  }
  return { registry: recovered.registry, log, close }
}
