/**
 * Writes the command log with group commit: all pending entries share one write and one fdatasync.
 * Entries that arrive during a commit form the next one.
 *
 * After a failed write the log accepts no more entries: the content of the disk is unknown until
 * the next start reads it.
 */

import { existsSync } from 'node:fs'
import type { LogEntry } from '../../engine/index.ts'
import type { HeldLock } from '../files/lock.ts'
import { type DataFolder, FolderTaken, lockLost, segmentFile } from './data-folder.ts'
import { deferred, type Deferred } from '../files/turns.ts'
import type { EndMarker } from './end-marker.ts'
import { SegmentFile, type SegmentEnd, entryLine } from './segment.ts'

export type CommandLogPorts = {
  /** Called before each commit is acknowledged; throws if another server writes the folder. */
  readonly checkSole: SoleWriter
  /** Moved after each commit. */
  readonly marker: Pick<EndMarker, 'move' | 'close'>
  /** Called after each commit with the new end of the log. */
  readonly onCommit: (end: SegmentEnd) => void
  /** Called once, if a write fails. */
  readonly onFailure: (error: Error) => void
}

export class CommandLog {
  readonly #folder: DataFolder
  readonly #ports: CommandLogPorts
  #file: SegmentFile
  /** Lines that are in no commit yet, and the sequence of the last appended entry. */
  #pending: Iterable<Buffer>[] = []
  #lastAppended: number
  /** The next commit, and the one in progress. */
  #next = deferred<void>()
  #current: Deferred<void> | null = null
  #requestedSegment: Deferred<SegmentEnd> | null = null
  #running: Promise<void> | null = null
  #failure: Error | null = null

  constructor(folder: DataFolder, file: SegmentFile, ports: CommandLogPorts) {
    this.#folder = folder
    this.#file = file
    this.#lastAppended = file.end.sequence
    this.#ports = ports
  }

  get end(): SegmentEnd {
    return this.#file.end
  }

  /** The error of the failed write; null if none has failed. */
  get failure(): Error | null {
    return this.#failure
  }

  /** Adds an entry to the next commit. Throws if a write has failed. */
  append(entry: LogEntry): void {
    if (this.#failure) throw this.#failure
    this.#pending.push(entryLine(entry))
    this.#lastAppended = entry.sequence
    this.#run()
  }

  /** Settles once all appended entries are on disk; undefined if they already are. */
  durable(): Promise<void> | undefined {
    if (this.#failure) return Promise.reject(this.#failure)
    return this.#pending.length > 0 ? this.#next.promise : this.#current?.promise
  }

  /** Ends the current segment and begins the next. Resolves to the end of the new one. */
  beginSegment(): Promise<SegmentEnd> {
    if (this.#failure) return Promise.reject(this.#failure)
    this.#requestedSegment ??= deferred()
    this.#run()
    return this.#requestedSegment.promise
  }

  /** Writes pending entries and closes the file. Nothing may be appended afterwards. */
  async close(): Promise<void> {
    await this.#running
    await this.#file.close()
    await this.#ports.marker.close()
  }

  /** Fails now, for a reason that a write would find only later. */
  abandon(reason: Error): void {
    if (!this.#failure) this.#fail(reason)
  }

  #run(): void {
    this.#running ??= this.#commitAll()
  }

  async #commitAll(): Promise<void> {
    // Entries of the same turn of the event loop share the first commit.
    await new Promise(setImmediate)
    try {
      while (this.#pending.length > 0 || this.#requestedSegment) {
        if (this.#requestedSegment) await this.#switchTo(this.#requestedSegment)
        if (this.#pending.length > 0) await this.#commitPending()
      }
    } catch (error) {
      this.#fail(error)
    }
    this.#running = null
  }

  async #commitPending(): Promise<void> {
    const lines = this.#pending
    const commit = this.#next
    const sequence = this.#lastAppended
    this.#pending = []
    this.#next = deferred()
    this.#current = commit
    await this.#file.write(lines, sequence)
    this.#ports.checkSole(this.#file)
    this.#ports.marker.move(this.#file.end)
    // It may have been abandoned meanwhile, and then nothing more is acknowledged.
    if (this.#failure) throw this.#failure
    this.#current = null
    commit.resolve()
    this.#ports.onCommit(this.#file.end)
  }

  async #switchTo(request: Deferred<SegmentEnd>): Promise<void> {
    const { sequence, ...previous } = this.#file.end
    const { epoch, rules } = this.#file.header
    const segment = previous.segment + 1
    const header = { segment, after: sequence, epoch, rules, previous }
    this.#ports.checkSole(this.#file)
    const next = await SegmentFile.begin(this.#folder, header)
    await this.#file.close()
    this.#file = next
    this.#ports.checkSole(next)
    this.#ports.marker.move(next.end)
    this.#requestedSegment = null
    request.resolve(next.end)
  }

  #fail(cause: unknown): void {
    if (this.#failure) return
    const failure = new Error('the command log cannot be written', { cause })
    this.#failure = failure
    this.#current?.reject(failure)
    this.#next.reject(failure)
    this.#requestedSegment?.reject(failure)
    this.#ports.onFailure(failure)
  }
}

/**
 * Checks after each commit, before it is acknowledged, that this server is the only writer.
 *
 * The one that takes over replaces the lock first and reads the log after that. So if the lock is
 * still ours after our lines are on disk, that server will read them. No clock is involved.
 *
 * The calls are synchronous: on a local file system all of them take a few microseconds, and less
 * processor time than one way to the thread pool and back.
 */
type SoleWriter = (file: SegmentFile) => void

/** Returns a check that throws `FolderTaken` if there is a sign of another writer. */
export function soleWriter(folder: DataFolder, lock: Pick<HeldLock, 'isMine'>): SoleWriter {
  return (file) => {
    const { segment, bytes } = file.end
    if (!lock.isMine()) throw lockLost(folder)
    const next = segmentFile(folder, segment + 1)
    if (existsSync(next)) throw new FolderTaken(folder.path, `it has begun ${next}`)
    const size = file.size()
    if (size === bytes) return
    const path = segmentFile(folder, segment)
    throw new FolderTaken(folder.path, `${path} has ${size} bytes, of which ${bytes} are ours`)
  }
}
