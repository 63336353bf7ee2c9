/**
 * Writes the command log, with group commit: all requests that wait share one write and one
 * fdatasync, and while those are under way the next ones gather.
 *
 * Once something could not be written the log is shut for good: what the disk holds then is not
 * known until it is read back at the next start.
 */

import type { Entry } from '../yard/commands.ts'
import type { DataFolder } from './data-folder.ts'
import { deferred, type Deferred } from './deferred.ts'
import { SegmentFile, type SegmentEnd } from './segment-file.ts'
import { entryLine } from './segment.ts'

export type CommandLogPorts = {
  /** After each commit: where the log ends now. */
  readonly onCommit: (end: SegmentEnd) => void
  /** Once, when something could not be written. */
  readonly onFailure: (error: Error) => void
}

export class CommandLog {
  readonly #folder: DataFolder
  readonly #ports: CommandLogPorts
  #file: SegmentFile
  /** Lines that no commit has taken yet, and the sequence of the last entry among them. */
  #waiting: Iterable<Buffer>[] = []
  #lastAppended: number
  /** The commit that will take them, and the one that is under way. */
  #next = deferred<void>()
  #underWay: Deferred<void> | null = null
  #wishedSegment: Deferred<SegmentEnd> | null = null
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

  /** Why nothing can be written any more, if so. */
  get failure(): Error | null {
    return this.#failure
  }

  append(entry: Entry): void {
    if (this.#failure) throw this.#failure
    this.#waiting.push(entryLine(entry))
    this.#lastAppended = entry.sequence
    this.#run()
  }

  /** Settles once all that was appended is on disk; nothing to wait for: undefined. */
  durable(): Promise<void> | undefined {
    if (this.#failure) return Promise.reject(this.#failure)
    return this.#waiting.length > 0 ? this.#next.promise : this.#underWay?.promise
  }

  /** Ends the segment after what is in it, and begins the next. Answers where the new one stands. */
  beginSegment(): Promise<SegmentEnd> {
    if (this.#failure) return Promise.reject(this.#failure)
    this.#wishedSegment ??= deferred()
    this.#run()
    return this.#wishedSegment.promise
  }

  /** Writes what waits, and closes. Nothing may be appended afterwards. */
  async close(): Promise<void> {
    await this.#running
    await this.#file.close()
  }

  #run(): void {
    this.#running ??= this.#commitAll()
  }

  async #commitAll(): Promise<void> {
    // Everything that came with this turn of the event loop shares the first commit.
    await new Promise(setImmediate)
    try {
      while (this.#waiting.length > 0 || this.#wishedSegment) {
        if (this.#wishedSegment) await this.#turnTo(this.#wishedSegment)
        if (this.#waiting.length > 0) await this.#commitWaiting()
      }
    } catch (error) {
      this.#fail(error)
    }
    this.#running = null
  }

  async #commitWaiting(): Promise<void> {
    const lines = this.#waiting
    const commit = this.#next
    const sequence = this.#lastAppended
    this.#waiting = []
    this.#next = deferred()
    this.#underWay = commit
    await this.#file.write(lines, sequence)
    this.#underWay = null
    commit.resolve()
    this.#ports.onCommit(this.#file.end)
  }

  async #turnTo(wish: Deferred<SegmentEnd>): Promise<void> {
    const { segment, sequence } = this.#file.end
    const next = await SegmentFile.begin(this.#folder, segment + 1, sequence)
    await this.#file.close()
    this.#file = next
    this.#wishedSegment = null
    wish.resolve(next.end)
  }

  #fail(cause: unknown): void {
    const failure = new Error('the command log cannot be written', { cause })
    this.#failure = failure
    this.#underWay?.reject(failure)
    this.#next.reject(failure)
    this.#wishedSegment?.reject(failure)
    this.#ports.onFailure(failure)
  }
}
