/** Values as they lie in the database: compressed, as text. */

import { createHash } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'
import { gunzipSync, gzipSync } from 'node:zlib'

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
