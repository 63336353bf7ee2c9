/** The list of files in a backup, its last entry. A backup without it was cut short. */

import type { MarkedEnd } from '../store/end-marker.ts'

export const manifestName = 'manifest.json'
export const manifestFormat = 'mergeyard backup'
export const manifestVersion = 1

export type BackedUpFile = {
  /** Relative to the data folder, with slashes. */
  readonly name: string
  readonly bytes: number
  readonly sha256: string
}

export type Manifest = {
  readonly backup: string
  readonly version: number
  /** ISO 8601. */
  readonly createdAt: string
  /** The instant of the backup: everything up to here is in it, and nothing later. */
  readonly end: MarkedEnd
  readonly files: readonly BackedUpFile[]
}

/** The files of a data folder that a backup can hold. Everything else is refused. */
const known =
  /^(?:snapshot\.json|outbox\.jsonl|tokens\.json|webhooks\.json|demo|log\/(?:\d{8}\.jsonl|\d{8}\.begin\.json|end))$/

export function isKnownFile(name: string): boolean {
  return known.test(name)
}

/** Throws if the text is not the manifest of a backup that this version can read. */
export function readManifest(text: string): Manifest {
  const found: Partial<Manifest> = JSON.parse(text)
  const { backup, version, createdAt, end, files } = found
  if (backup === manifestFormat && version !== undefined && version > manifestVersion) {
    throw new Error(`it is a backup of format ${version}, made by a newer Mergeyard; use that`)
  }
  if (backup === manifestFormat && version !== undefined && createdAt !== undefined) {
    if (end && files) return { backup, version, createdAt, end, files }
  }
  throw new Error(`its ${manifestName} is not that of a ${manifestFormat}`)
}
