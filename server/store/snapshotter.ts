/**
 * Starts a snapshot when one is due.
 *
 * A snapshot is due when the segment has reached the size of the last snapshot, and at least a
 * megabyte. So a start never replays more than the size of the snapshot it reads, and the bytes
 * written in snapshots stay in proportion to the bytes of the log.
 */

import { statSync, existsSync } from 'node:fs'
import { link } from 'node:fs/promises'
import type { CommandLog } from './command-log.ts'
import { type DataFolder, beginningFile, dataFolder } from './data-folder.ts'
import { type Recovered, type SnapshotPosition, recover, snapshotIn } from './recover.ts'
import { noWakes } from '../queues/queue-registry.ts'
import { syncFolder } from '../files/replace-file.ts'
import { inThread, TaskThread } from '../timing/task-thread.ts'

const leastBytes = 1 << 20
/** Each start begins a segment; so many may follow a snapshot without a new one. */
const mostSegments = 16
/** For what is done beside the requests: the memory of the thread matters more than its speed. */
export const smallHeap = { maxYoungGenerationSizeMb: 8 }

export type SnapshotterPorts = {
  readonly onDone: (position: SnapshotPosition) => void
  readonly onFailure: (error: unknown) => void
}

type StartedFrom = Pick<Recovered, 'snapshot' | 'replayedBytes' | 'isOfOtherRules'>

export class Snapshotter {
  readonly #folder: DataFolder
  readonly #ports: SnapshotterPorts
  #last: SnapshotPosition
  /** The segment that began with the last attempt, also one that failed. */
  #tried: number
  #dueBytes: number
  /** The length of the segments that were closed since the last attempt. */
  #closedBytes: number
  /** Entries that other rules have made must not be replayed again. */
  #isOverdue: boolean
  #making: Promise<void> | null = null

  constructor(folder: DataFolder, recovered: StartedFrom, ports: SnapshotterPorts) {
    this.#folder = folder
    this.#last = recovered.snapshot
    this.#tried = recovered.snapshot.segment
    this.#closedBytes = recovered.replayedBytes
    this.#isOverdue = recovered.isOfOtherRules
    this.#ports = ports
    this.#dueBytes = dueBytes(folder)
  }

  get last(): SnapshotPosition {
    return this.#last
  }

  /** Starts a snapshot if one is due. Call it after each commit. */
  consider(log: CommandLog): void {
    const { bytes, segment } = log.end
    const isLong = this.#closedBytes + bytes >= this.#dueBytes
    const isScattered = segment - this.#tried >= mostSegments
    if (isLong || isScattered || this.#isOverdue) this.#making ??= this.#make(log)
  }

  /**
   * Settles when a snapshot contains the whole log, or could not be made. Call it when nobody asks any more:
   * a short log is read here, because that takes less time than the start of a thread.
   */
  async catchUp(log: CommandLog): Promise<void> {
    await this.#making
    if (this.#last.sequence === log.end.sequence) return
    const bytes = this.#closedBytes + log.end.bytes
    const isShort = this.#dueBytes === leastBytes && bytes < leastBytes
    await this.#make(log, isShort ? makeSnapshot : runWorker)
  }

  async #make(log: CommandLog, run = runWorker): Promise<void> {
    try {
      const { segment, sequence } = await log.beginSegment()
      this.#tried = segment
      this.#closedBytes = 0
      this.#isOverdue = false
      await run({ path: this.#folder.path, segment })
      this.#last = { segment, sequence }
      this.#dueBytes = dueBytes(this.#folder)
      this.#ports.onDone(this.#last)
    } catch (error) {
      // No data is lost, because the log contains everything. The next due snapshot tries again.
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
  const limits = { what: 'a snapshot', memory: smallHeap }
  const thread = new TaskThread(new URL('./snapshotter.js', import.meta.url), makeSnapshot, limits)
  return inThread(thread, task)
}

// Makes a snapshot: reads the last one, replays the segments that were closed since, and writes the next.
// So every snapshot proves that the log can be replayed.

export type SnapshotTask = {
  readonly path: string
  /** The segment that begins at the new snapshot; all earlier segments are closed. */
  readonly segment: number
}

export async function makeSnapshot({ path, segment }: SnapshotTask): Promise<void> {
  const folder = dataFolder(path)
  const { registry, snapshot } = await recover(folder, noWakes, segment - 1)
  await keepBeginning(folder, snapshot.segment)
  const db = snapshotIn(folder)
  db.data = { segment, state: registry.state() }
  await db.write()
}

/** Keeps the current snapshot, which is about to be replaced, as the beginning of its segment. */
async function keepBeginning(folder: DataFolder, segment: number): Promise<void> {
  const beginning = beginningFile(folder, segment)
  if (!existsSync(folder.snapshot) || existsSync(beginning)) return
  await link(folder.snapshot, beginning)
  await syncFolder(folder.log)
}
