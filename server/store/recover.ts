/**
 * Restores the state after the last accepted command: from the snapshot and every later entry of
 * the log. Only reads files, and does not repair damaged ones.
 */

import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Low } from 'lowdb'
import type {
  LinkedSegment,
  LogEntry,
  LogHeader,
  ReadUpTo,
  SegmentStart,
} from '../../engine/index.ts'
import { TestCases } from '../history/test-cases.ts'
import { isProven } from '../queues/proof.ts'
import { noWakes, QueueRegistry, type RegistryPorts } from '../queues/queue-registry.ts'
import { type DataFolder, segmentFile, segmentsIn } from './data-folder.ts'
import { linkedSegments, missingIn, type SegmentEnd, readSegmentFile } from './segment.ts'
import { type Snapshot, SnapshotFile } from './snapshot-file.ts'

export const firstSegment = 1

export type Recovered = {
  readonly registry: QueueRegistry
  /** Where the log ends; null in a new folder. */
  readonly end: LogEnd | null
  readonly snapshot: SnapshotPosition
  /** The length of the segments that were replayed. */
  readonly replayedBytes: number
  /** True if entries were replayed that a server with other rules, or of version 1, has made. */
  readonly isOfOtherRules: boolean
}

export type LogEnd = SegmentEnd & {
  /** An incomplete line follows: a crash interrupted its writing. */
  readonly tornBytes: number
  /** Lines follow that another server has appended. */
  readonly isForeign: boolean
}

/** The position of a snapshot: the segment that begins at it, and the last entry it contains. */
export type SnapshotPosition = { readonly segment: number; readonly sequence: number }

/** Returns the snapshot as a lowdb database; without a file, that of an empty server. */
export function snapshotIn({ snapshot }: DataFolder): Low<Snapshot> {
  const state = { sequence: 0, at: 0, queues: [], testCases: new TestCases(), epochs: [] }
  return new Low(new SnapshotFile(snapshot), { segment: firstSegment, state })
}

/** Reads the snapshot and the segments up to `upTo`. Throws `DamagedData` for a damaged file. */
export async function recover(
  folder: DataFolder,
  ports: RegistryPorts = noWakes,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<Recovered> {
  const db = snapshotIn(folder)
  await db.read()
  const { segment: snapshotOf, state } = db.data
  const snapshot = { segment: snapshotOf, sequence: state.sequence }
  const registry = new QueueRegistry(ports, state)
  const hasLater = segmentsIn(folder).some((segment) => segment >= snapshotOf)
  // A segment is begun before the snapshot at its beginning is written.
  if (!hasLater && snapshotOf !== firstSegment) throw missingIn(folder, snapshotOf)
  const linked = hasLater ? linkedSegments(folder, snapshotOf) : []
  const replay = new Replay(folder, registry)
  for (const segment of linked) if (segment.segment <= upTo) replay.read(segment)
  const { end, bytes: replayedBytes, isOfOtherRules } = replay
  return { registry, end, snapshot, replayedBytes, isOfOtherRules }
}

class Replay {
  readonly #folder: DataFolder
  readonly #registry: QueueRegistry
  end: LogEnd | null = null
  bytes = 0
  isOfOtherRules = false
  #refusal: OtherRules | null = null

  constructor(folder: DataFolder, registry: QueueRegistry) {
    this.#folder = folder
    this.#registry = registry
  }

  read({ segment, header, end, isLast }: LinkedSegment): void {
    if (header?.epoch !== undefined) this.#registry.beginEpoch(header.epoch)
    const path = segmentFile(this.#folder, segment)
    const start = { segment, after: this.#registry.sequence, isLast, end }
    const { sequence, ...read } = this.#readFile(path, start)
    this.end = { segment, sequence: sequence ?? this.#registry.sequence, ...read }
    this.bytes += read.bytes
  }

  #readFile(path: string, start: SegmentStart): ReadUpTo {
    try {
      return readSegmentFile(path, start, (entry, { rules }) => this.#apply(path, entry, rules))
    } catch (error) {
      // The reader takes every error for damage.
      throw this.#refusal ?? error
    }
  }

  /** Applies an entry. It was accepted when it was recorded, so a rejection now means damage. */
  #apply(path: string, entry: LogEntry, rules: LogHeader['rules']): void {
    const isOther = rules !== rulesVersion()
    this.isOfOtherRules ||= isOther
    const outcome = this.#registry.apply(entry)
    if (outcome.accepted && isProven(entry, outcome.events)) return
    if (isOther && rules !== undefined) this.#refusal = new OtherRules(path, entry, rules)
    if (outcome.accepted) throw new Error('a command with other events than it had')
    throw new Error(`a command that is rejected: ${outcome.rejection.code}`)
  }
}

// The version of the rules by which this engine decides: a hash of its compiled sources. Two builds
// with the same hash give the same events for the same commands.

const engine = fileURLToPath(new URL('../../engine', import.meta.url))
const digits = 12

let known: string | null = null

export function rulesVersion(): string {
  known ??= hashOf(engine)
  return known
}

function hashOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isSource)
  const hash = createHash('sha256')
  for (const name of names.sort()) {
    hash.update(name.replaceAll(sep, '/')).update(readFileSync(join(folder, name)))
  }
  return hash.digest('hex').slice(0, digits)
}

/** Tests are not part of an installed package. */
function isSource(name: string): boolean {
  return name.endsWith('.js') && !name.includes('.test.') && !name.split(sep).includes('testing')
}

/**
 * The log was written by other rules of the engine, and today's rules decide differently. So the
 * replayed state would not be the one that was acknowledged. Stops the start.
 */
export class OtherRules extends Error {
  override readonly name = 'OtherRules'

  constructor(file: string, { sequence }: LogEntry, rules: string) {
    super(
      `${file}: entry ${sequence} was made by the engine rules ${rules}; the rules of this version ` +
        `(${rulesVersion()}) decide differently. Nothing was changed. Start the version that wrote ` +
        'it once and stop it with SIGTERM, so that it writes a snapshot; then start this version',
    )
  }
}
