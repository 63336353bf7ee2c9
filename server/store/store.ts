/**
 * The durable half of a server: one data folder, locked, read back, and written from now on.
 *
 * Order matters at the start: lock, read everything, and only when all of it was found good cut off
 * a torn last line and go on behind it.
 */

import { truncateSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Register, RegisterPorts } from '../yard/register.ts'
import { CommandLog } from './command-log.ts'
import { isOpenToOthers, makeDataFolder, segmentFile, type DataFolder } from './data-folder.ts'
import { takeLock } from './lock.ts'
import { firstSegment, recover, type Recovered } from './recover.ts'
import { removeOldSegments } from './retention.ts'
import { SegmentFile } from './segment-file.ts'
import { Snapshotter } from './snapshotter.ts'

const hourMs = 60 * 60_000

export type StoreOptions = {
  readonly logger: Logger
  /** How long segments of the log are kept; null: for ever. */
  readonly keepDays: number | null
  readonly ports: RegisterPorts
  /** Nothing can be written any more: the server has to stop. */
  readonly onFailure: (error: Error) => void
}

export type Store = {
  readonly register: Register
  readonly log: CommandLog
  /** Writes what waits and a snapshot of it, and gives the folder back. */
  readonly close: () => Promise<void>
}

/** Throws `FolderInUse` or `DamagedData`, and has changed nothing then. */
export async function openStore(folder: DataFolder, options: StoreOptions): Promise<Store> {
  const { logger, ports } = options
  makeDataFolder(folder)
  if (isOpenToOthers(folder)) logger.warn({ folder: folder.path }, 'others may read this folder')
  const unlock = takeLock(folder.lock)
  try {
    const recovered = await recover(folder, ports)
    const { register, snapshot } = recovered
    logger.info({ commands: register.sequence, snapshot }, 'read back')
    const file = await lastSegment(folder, recovered, logger)
    return running(folder, { options, recovered, file, unlock })
  } catch (error) {
    unlock()
    throw error
  }
}

/** The segment to go on with: what is left of a line that a crash cut short is cut off. */
async function lastSegment(
  folder: DataFolder,
  { end, register }: Recovered,
  logger: Logger,
): Promise<SegmentFile> {
  const { sequence } = register
  if (!end) return SegmentFile.begin(folder, firstSegment, sequence)
  const { segment, bytes, tornBytes } = end
  if (tornBytes > 0) {
    const file = segmentFile(folder, segment)
    logger.warn({ file, bytes, tornBytes }, 'cut off the last line, which a crash had torn')
    truncateSync(file, bytes)
  }
  if (bytes === 0) return SegmentFile.begin(folder, segment, sequence)
  return SegmentFile.reopen(folder, { segment, bytes, sequence })
}

type Parts = {
  readonly options: StoreOptions
  readonly recovered: Recovered
  readonly file: SegmentFile
  readonly unlock: () => void
}

function running(folder: DataFolder, { options, recovered, file, unlock }: Parts): Store {
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
      logger.error({ err: error }, 'could not write a snapshot; the log has it all'),
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
  return { register: recovered.register, log, close }
}
