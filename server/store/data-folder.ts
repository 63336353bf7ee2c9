/**
 * What lies where in the data folder.
 *
 *     lock                     the server that works on it
 *     snapshot.json            all there was to know at the beginning of one segment of the log
 *     log/00000012.jsonl       the command log, in segments; no line is ever changed
 *     log/00000012.begin.json  the snapshot at which that segment begins, once there is a newer one
 *     tokens.json              who may call
 *     webhooks.json            who is told what happens
 *     outbox.jsonl             what they still have to be told
 *     demo                     says that all of this is a demo's
 */

import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beginningName, recordingFiles, segmentName, segmentNamed } from '../../engine/index.ts'

/** Only its owner may look into the data folder. */
const ownerOnly = 0o700
const othersMay = 0o077

export type DataFolder = {
  readonly path: string
  readonly lock: string
  readonly snapshot: string
  readonly log: string
  readonly tokens: string
  readonly webhooks: string
  readonly outbox: string
  readonly demo: string
}

export function dataFolder(path: string): DataFolder {
  return {
    path,
    lock: join(path, 'lock'),
    snapshot: join(path, recordingFiles.snapshot),
    log: join(path, recordingFiles.log),
    tokens: join(path, 'tokens.json'),
    webhooks: join(path, 'webhooks.json'),
    outbox: join(path, 'outbox.jsonl'),
    demo: join(path, 'demo'),
  }
}

/** Makes what is missing. */
export function makeDataFolder(folder: DataFolder): void {
  mkdirSync(folder.log, { recursive: true, mode: ownerOnly })
}

/** Whether somebody else may look into it: a folder that was there before is left as it was. */
export function isOpenToOthers({ path }: DataFolder): boolean {
  return (statSync(path).mode & othersMay) !== 0
}

export function segmentFile({ log }: DataFolder, segment: number): string {
  return join(log, segmentName(segment))
}

/** Where the snapshot goes at which a segment begins. */
export function beginningFile({ log }: DataFolder, segment: number): string {
  return join(log, beginningName(segment))
}

/** The segments there are, oldest first. */
export function segmentsIn({ log }: DataFolder): number[] {
  return readdirSync(log)
    .flatMap((name) => segmentNamed(name) ?? [])
    .sort((a, b) => a - b)
}
