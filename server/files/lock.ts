/**
 * The lock of a data folder, so that only one server uses it. The lock file names the process that
 * holds it. A lock is stale, and has no effect, if that process no longer exists.
 *
 * The lock file is created by a hard link, so it is complete when it appears. A stale lock is
 * removed under a second lock, named after it. Without that, two processes that find the same stale
 * lock could each remove the lock that the other has just created.
 */

import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isAlive, thisProcess, type ProcessIdentity } from './process-identity.ts'
import { ownerOnly } from './replace-file.ts'

type Lock = ProcessIdentity & { readonly id: string }

export class FolderInUse extends Error {
  constructor(path: string, pid: number) {
    super(
      `the data folder is in use by process ${pid} (${path}). ` +
        'Stop that server first, or choose another folder with --data',
    )
    this.name = 'FolderInUse'
  }
}

/** Takes the lock and returns a function that releases it. Throws `FolderInUse`. */
export function takeLock(path: string): () => void {
  const mine: Lock = { id: randomUUID(), ...thisProcess() }
  while (!putLock(path, mine)) {
    const found = readLock(path)
    if (found && isAlive(found)) throw new FolderInUse(path, found.pid)
    if (found) removeStale(path, found)
  }
  return () => {
    if (readLock(path)?.id === mine.id) rmSync(path)
  }
}

/** Returns false if the lock exists already. */
function putLock(path: string, lock: Lock): boolean {
  const draft = `${path}.${lock.id}`
  writeFileSync(draft, `${JSON.stringify(lock)}\n`, { mode: ownerOnly })
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  } finally {
    rmSync(draft)
  }
}

function removeStale(path: string, stale: Lock): void {
  const unlock = takeLock(`${path}.dead-${stale.id}`)
  try {
    // Another process may have replaced it already.
    if (readLock(path)?.id === stale.id) rmSync(path)
  } finally {
    unlock()
  }
}

const unreadable: Lock = { id: 'unreadable', pid: 0, startedAt: '', boot: '' }

/** Null if there is no lock. Only a power loss can leave an unreadable lock. */
function readLock(path: string): Lock | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
  try {
    const lock: Lock | null = JSON.parse(text)
    return lock ?? unreadable
  } catch {
    return unreadable
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
