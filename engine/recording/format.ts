/**
 * The format of a recording, for the code that writes one and the code that replays one:
 *
 *     snapshot.json            the state at the beginning of one segment of the log
 *     log/00000012.jsonl       the command log, in segments; no line is ever changed
 *     log/00000012.begin.json  the state at which that segment begins, once there is a newer one
 *
 * A segment consists of JSON lines, each with its checksum as the last member: a header, then one
 * `LogEntry` per line, in order and without a gap. A snapshot is one JSON document with one record
 * per line; the line of a queue is followed by the lines of its content. The first segment of a
 * recording starts from an empty state.
 *
 * Version 2 (since 1.1.0): the header of a segment also names the epoch and the rules of the server
 * that began it, and the exact end of the log before it. Whatever follows that end in the earlier
 * segment was never acknowledged. Version 1 is read as well.
 */

import type { ImpactedTargets } from '../model/targets.ts'
import type { Millis, PullRequest, PullRequestNumber, Queue } from '../model/state.ts'

export const recordingFiles = { snapshot: 'snapshot.json', log: 'log' } as const

const numbered = (segment: number): string => String(segment).padStart(8, '0')

export const segmentName = (segment: number): string => `${numbered(segment)}.jsonl`
export const beginningName = (segment: number): string => `${numbered(segment)}.begin.json`

/** Returns the segment number of a file of the log; null for any other file. */
export function segmentNamed(name: string): number | null {
  const digits = /^(\d{8})\.jsonl$/.exec(name)?.[1]
  return digits === undefined ? null : Number(digits)
}

/** Returns the first missing segment from `first` on, or null. `segments` is in ascending order. */
export function missingSegment(first: number, segments: readonly number[]): number | null {
  const needed = segments.filter((segment) => segment >= first)
  const gap = needed.findIndex((segment, index) => segment !== first + index)
  return gap === -1 ? null : first + gap
}

export const logFormat = 'mergeyard command log'
export const snapshotFormat = 'mergeyard snapshot'
export const formatVersion = 2
/** The versions that are read, oldest first. */
export const readVersions: readonly number[] = [1, formatVersion]

/** Where a segment ends: what follows in its file is not part of the log. */
export type RecordedEnd = {
  readonly segment: number
  readonly bytes: number
  /** The CRC-32 of these bytes. */
  readonly crc: number
}

/** The first line of a segment. */
export type LogHeader = {
  readonly log: string
  readonly version: number
  readonly segment: number
  /** The sequence of the last entry before this segment. */
  readonly after: number
  /** Drawn at random at each start of a server; it is part of the ids handed out. */
  readonly epoch?: string
  /** The rules of the engine that makes the entries of this segment. */
  readonly rules?: string
  /** The end of the log before this segment; null if there was none. */
  readonly previous?: RecordedEnd | null
  /** The segment continues a backup that was restored. */
  readonly isRestored?: true
}

/** The first line of a snapshot, before its `lines`. */
export type SnapshotHeader = {
  readonly snapshot: string
  readonly version: number
  /** The first segment whose entries are not part of the snapshot. */
  readonly segment: number
  /** The sequence of the last entry that is part of the snapshot. */
  readonly sequence: number
  readonly at: Millis
}

/**
 * A queue as a snapshot contains it. The lists of phases follow from the groups, and the marks from the
 * verdicts.
 */
export type SerializedQueue = Omit<Queue, 'phases' | 'verdictMarks' | 'landed'> & {
  /** Absent up to engine version 7. */
  readonly landed?: Queue['landed']
}

/** A line of a snapshot with the fields of the engine; a server writes more fields. */
export type QueueLine = {
  readonly queue: string
  readonly incarnation: string
  /** Without pull requests and impacted targets, which have separate lines. */
  readonly engine: SerializedQueue
}
export type PullRequestLine = {
  readonly pullRequest: PullRequestNumber
  /** Null for a pull request that was reported but never submitted. */
  readonly engine: PullRequest | null
}
export type TargetsLine = {
  readonly impactedTargets: PullRequestNumber
  readonly targets: ImpactedTargets
}

const opening = ',"crc":"'
export const checksumTailLength = `${opening}00000000"}`.length

const hexOfBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hexOf = (byte: number): string => hexOfBytes[byte & 255] ?? ''

/** Returns the end of a line: the CRC-32 of the line without this end. */
export function checksumTail(crc: number): string {
  // By table, because it runs for every line of a log and formatting large numbers is slow.
  return `${opening}${hexOf(crc >>> 24)}${hexOf(crc >>> 16)}${hexOf(crc >>> 8)}${hexOf(crc)}"}`
}

/** Returns the last line of a snapshot: the CRC-32 of all lines before it. */
export function snapshotTail(crc: number): string {
  return `]${checksumTail(crc)}`
}

/** The error for a recording whose content differs from what was written. */
export class DamagedRecording extends Error {
  override readonly name = 'DamagedRecording'
  /** The line in the file, from 1; null for the file as a whole. */
  readonly line: number | null
  readonly expected: string
  /** The content found instead. */
  readonly actual: string

  constructor(line: number | null, expected: string, actual: string) {
    super(`${line === null ? 'the file' : `line ${line}`}: expected ${expected}, got ${actual}`)
    this.line = line
    this.expected = expected
    this.actual = actual
  }
}

/** A newer version of Mergeyard wrote the recording. Nothing is damaged. */
export class NewerRecording extends DamagedRecording {
  constructor(versions: readonly number[], version: number) {
    super(1, `format version ${versions.join(' or ')}`, `version ${version} of a newer Mergeyard`)
  }
}

/** Returns the result of `work`. Turns an error that `work` throws into damage of this line. */
export function orDamaged<Value>(line: number, expected: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw new DamagedRecording(
      line,
      expected,
      error instanceof Error ? error.message : String(error),
    )
  }
}
