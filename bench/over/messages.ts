/** What coordinator and workers write into the queues of a campaign. */

import { createHash } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'
import { gunzipSync, gzipSync } from 'node:zlib'

export type ChunkOfTasks = {
  /** Its number in the campaign, from 0. */
  readonly place: number
  /** The name of the worker function. */
  readonly worker: string
  /** The tasks, packed. */
  readonly tasks: string
}

/** What a worker made of a chunk. */
export type ChunkAnswer = {
  readonly place: number
  /** The answers to the tasks, packed. */
  readonly answers: string
  /** The time that they took, in milliseconds. */
  readonly ms: number
}

/** The worker function threw, as it would have on the machine of the coordinator. */
export type ChunkFault = { readonly place: number; readonly fault: string }

/** A worker is there, and has so many threads. */
export type Hello = { readonly hello: string; readonly threads: number }

/**
 * What the coordinator receives. A chunk that three workers were given and none answered comes back as it
 * was handed out.
 */
export type Incoming = ChunkAnswer | ChunkFault | Hello | ChunkOfTasks

// Values as they lie in the database: compressed, as text.

/** Figures shrink to a tenth at the fastest level. */
const level = 1

const asText = (bytes: Uint8Array | string): string => gzipSync(bytes, { level }).toString('base64')
const asBytes = (text: string): Buffer => gunzipSync(Buffer.from(text, 'base64'))

/**
 * Returns tasks as text. Tasks share large objects, such as a history of pull requests, and this form
 * holds each of those once.
 */
export const packedTasks = (tasks: readonly unknown[]): string => asText(serialize(tasks))

export function unpackedTasks(text: string): unknown[] {
  const tasks: unknown[] = deserialize(asBytes(text))
  return tasks
}

/** Answers are JSON, because equal answers must have equal texts. */
export const packedJson = (json: string): string => asText(json)

export const unpackedJson = (text: string): string => asBytes(text).toString('utf8')

/** Returns a hash of an answer, to compare it with another one. */
export function hashOf(json: string): string {
  return createHash('sha256').update(json).digest('base64')
}
