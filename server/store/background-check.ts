/**
 * Verifies the files that a start does not read, after the start and without slowing it. The
 * server works without them, so a fault is only told.
 */

import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { segmentsIn, type DataFolder } from './data-folder.ts'
import type { SnapshotPosition } from './recover.ts'

/** A small heap for the worker, because its memory matters more than its speed. */
const youngMebibytes = 8

export class BackgroundCheck {
  #faults: readonly string[] = []
  readonly #worker: Worker | null

  /** Begins, if there are segments that the start has not read. */
  constructor(folder: DataFolder, snapshot: SnapshotPosition, logger: Logger) {
    const [oldest = snapshot.segment] = segmentsIn(folder)
    this.#worker = oldest < snapshot.segment ? this.#begin(folder, logger) : null
  }

  #begin(folder: DataFolder, logger: Logger): Worker {
    const url = new URL('./verify-worker.js', import.meta.url)
    const resourceLimits = { maxYoungGenerationSizeMb: youngMebibytes }
    const worker = new Worker(url, { workerData: folder.path, resourceLimits })
    worker.unref()
    worker.once('message', (faults: readonly string[]) => {
      this.#faults = faults
      for (const fault of faults) logger.error({ fault }, 'an older file is damaged')
      if (faults.length === 0) logger.info('verified the older files')
    })
    worker.once('error', (error) => {
      logger.error({ err: error }, 'could not verify the older files')
    })
    return worker
  }

  /** The faults found so far. */
  get faults(): readonly string[] {
    return this.#faults
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate()
  }
}
