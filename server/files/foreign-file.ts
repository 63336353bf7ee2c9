/**
 * Reads files that a test or a command wrote. In place of a file there can be a link to another one, a FIFO that
 * never ends, or more than fits into memory.
 */

import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync } from 'node:fs'
import { messageOf } from '../terminal/text.ts'

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
// A FIFO without a writer would block the whole process.
const flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK

export type ForeignFile = {
  readonly bytes: Buffer
  /** The size of the file; `bytes` is its end, if it is longer. */
  readonly size: number
}

/** False also for a link, wherever it leads, and for what nobody can tell. */
export function isRegularFile(path: string): boolean {
  try {
    return lstatSync(path).isFile()
  } catch {
    return false
  }
}

/** The last `most` bytes of a regular file. Throws if there is none: a link is not followed. */
export function readForeignFile(path: string, most: number): ForeignFile {
  const file = openSync(path, flags)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new Error(`${path} is not a regular file`)
    const { size } = stat
    const bytes = Buffer.alloc(Math.min(size, most))
    let length = 0
    while (length < bytes.length) {
      const at = size - bytes.length + length
      const read = readSync(file, bytes, length, bytes.length - length, at)
      // It was cut meanwhile.
      if (read === 0) break
      length += read
    }
    return { bytes: bytes.subarray(0, length), size }
  } finally {
    closeSync(file)
  }
}

// Watches a small file that other programs replace; a change is noticed within a second.

const pollEveryMs = 400

export type WatchedFile<Content> = {
  readonly path: string
  /** Reads the file. Throws if its content is not valid. */
  readonly read: () => Content
  /** Called after a change. */
  readonly onChange: (content: Content) => void
  /** Called if the changed file is not valid; the previous content stays in force. */
  readonly onFault: (error: unknown) => void
}

export type FileWatch<Content> = { readonly first: Content; readonly end: () => void }

/** Reads the file, and again after each change until `end`. Throws if the first read fails. */
export function watchFile<Content>(file: WatchedFile<Content>): FileWatch<Content> {
  const { path, read, onChange, onFault } = file
  let seen = stampOf(path)
  const first = read()
  const poll = (): void => {
    const stamp = stampOf(path)
    if (stamp === seen) return
    seen = stamp
    try {
      onChange(read())
    } catch (error) {
      onFault(error)
    }
  }
  const timer = setInterval(poll, pollEveryMs).unref()
  return { first, end: () => clearInterval(timer) }
}

/** A text that changes whenever the file changes, or cannot be looked at any more. */
function stampOf(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(path)
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`
  } catch (error) {
    return messageOf(error)
  }
}
