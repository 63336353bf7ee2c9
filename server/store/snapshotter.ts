/**
 * Decides when a snapshot is due, and has it made.
 *
 * Due when the segment has grown to the size of the last snapshot, and to a megabyte at least: so a
 * start replays no more than it reads anyway, and what is written in snapshots stays in proportion
 * to what is logged, however much is known.
 */

import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { CommandLog } from './command-log.ts'
import type { DataFolder } from './data-folder.ts'
import type { SnapshotPlace } from './recover.ts'
import type { SnapshotTask } from './snapshot-worker.ts'

const leastBytes = 1 << 20
/** It is in no hurry: memory is worth more than its time. */
const youngMebibytes = 8

export type SnapshotterPorts = {
  readonly onDone: (place: SnapshotPlace) => void
  readonly onFailure: (error: unknown) => void
}

export class Snapshotter {
  readonly #folder: DataFolder
  readonly #ports: SnapshotterPorts
  #last: SnapshotPlace
  #dueBytes: number
  #making: Promise<void> | null = null

  constructor(folder: DataFolder, last: SnapshotPlace, ports: SnapshotterPorts) {
    this.#folder = folder
    this.#last = last
    this.#ports = ports
    this.#dueBytes = dueBytes(folder)
  }

  get last(): SnapshotPlace {
    return this.#last
  }

  /** Has a snapshot made when one is due. Call it after each commit. */
  consider(log: CommandLog): void {
    if (log.end.bytes >= this.#dueBytes) this.#making ??= this.#make(log)
  }

  /** Settles when the snapshot holds all that is in the log, or could not be made. */
  async catchUp(log: CommandLog): Promise<void> {
    await this.#making
    if (this.#last.sequence < log.end.sequence) await this.#make(log)
  }

  async #make(log: CommandLog): Promise<void> {
    try {
      const { segment, sequence } = await log.beginSegment()
      await runWorker({ path: this.#folder.path, segment })
      this.#last = { segment, sequence }
      this.#dueBytes = dueBytes(this.#folder)
      this.#ports.onDone(this.#last)
    } catch (error) {
      // The log has it all; the next due snapshot tries again.
      this.#ports.onFailure(error)
    } finally {
      this.#making = null
    }
  }
}

function dueBytes({ snapshot }: DataFolder): number {
  const bytes = statSync(snapshot, { throwIfNoEntry: false })?.size ?? 0
  return Math.max(leastBytes, bytes)
}

function runWorker(task: SnapshotTask): Promise<void> {
  return new Promise((resolve, reject) => {
    const url = new URL('./snapshot-worker.js', import.meta.url)
    const resourceLimits = { maxYoungGenerationSizeMb: youngMebibytes }
    const worker = new Worker(url, { workerData: task, resourceLimits })
    worker.once('error', reject)
    worker.once('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`the snapshot worker ended with ${code}`))
    })
  })
}
