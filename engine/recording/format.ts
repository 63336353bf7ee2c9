/**
 * The form of a recording, for whoever writes one and whoever replays one:
 *
 *     snapshot.json            the state at the beginning of one segment of the log
 *     log/00000012.jsonl       the command log, in segments; no line is ever changed
 *     log/00000012.begin.json  the state at which that segment begins, once there is a newer one
 *
 * A segment is JSON Lines, each with its checksum as the last member: a header, then an `Entry` a
 * line, in order and without a gap. A snapshot is one JSON document with a record on each line; a
 * queue's line comes first, and the lines of what is in it follow. The first segment of all begins
 * with nothing at all.
 */

import type { ImpactedTargets } from '../model/targets.ts'
import type { Millis, PullRequest, PullRequestNumber, Queue } from '../model/state.ts'

export const recordingFiles = { snapshot: 'snapshot.json', log: 'log' } as const

const numbered = (segment: number): string => String(segment).padStart(8, '0')

export const segmentName = (segment: number): string => `${numbered(segment)}.jsonl`
export const beginningName = (segment: number): string => `${numbered(segment)}.begin.json`

/** Which segment a file of the log is; null for any other file. */
export function segmentNamed(name: string): number | null {
  const digits = /^(\d{8})\.jsonl$/.exec(name)?.[1]
  return digits === undefined ? null : Number(digits)
}

export const logFormat = 'mergeyard command log'
export const snapshotFormat = 'mergeyard snapshot'
export const formatVersion = 1

/** The first line of a segment. */
export type LogHeader = {
  readonly log: string
  readonly version: number
  readonly segment: number
  /** The sequence of the entry before its first. */
  readonly after: number
}

/** What stands on the first line of a snapshot, before its `lines`. */
export type SnapshotHeader = {
  readonly snapshot: string
  readonly version: number
  /** The first segment whose entries are not in it yet. */
  readonly segment: number
  /** Of the last entry that is in it. */
  readonly sequence: number
  readonly at: Millis
}

/** A queue as it is written: who is in which phase follows from its groups. */
export type WrittenQueue = Omit<Queue, 'phases'>

/** The lines of a snapshot, as far as an engine goes; a server keeps more on them. */
export type QueueLine = {
  readonly queue: string
  readonly incarnation: string
  /** Without what has lines of its own. */
  readonly engine: WrittenQueue
}
export type PullRequestLine = {
  readonly pullRequest: PullRequestNumber
  /** Null where it was only told about, and never submitted. */
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

/** What stands behind everything else on a line: the CRC-32 of the line without it. */
export function checksumTail(crc: number): string {
  // For every line of a log, and so by table: numbers this large are slow to write.
  return `${opening}${hexOf(crc >>> 24)}${hexOf(crc >>> 16)}${hexOf(crc >>> 8)}${hexOf(crc)}"}`
}

/** The last line of a snapshot: the CRC-32 of all lines before it. */
export function snapshotTail(crc: number): string {
  return `]${checksumTail(crc)}`
}
