/**
 * The lock of a data folder, so that only one server uses it. The lock file names the process that
 * holds it. A lock is stale, and has no effect, if that process no longer exists. If the process
 * cannot be seen from here, on another host or in another PID namespace, the lock is stale once it
 * has not been refreshed for a while.
 *
 * The lock file is created by a hard link, so it is complete when it appears. A stale lock is
 * removed under a second lock, named after it. Without that, two processes that find the same stale
 * lock could each remove the lock that the other has just created.
 */

import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isAlive, isVisibleTo, thisProcess, type ProcessIdentity } from './process-identity.ts'
import { isErrno, ownerOnly } from './replace-file.ts'

export type Lock = ProcessIdentity & { readonly id: string }

/** A lock of an unseen process that was not refreshed for this long is stale. */
export const staleAfterMs = 10_000

export class FolderInUse extends Error {
  constructor(path: string, { pid, host }: ProcessIdentity, isVisible: boolean) {
    const where = isVisible ? '' : ` on host ${host ?? 'unknown'}, which cannot be seen from here`
    const advice = isVisible
      ? ''
      : `. After a crash of that process, wait ${staleAfterMs / 1_000} s and start again`
    super(
      `the data folder is in use by process ${pid}${where} (${path}). ` +
        `Stop that server first, or choose another folder with --data${advice}`,
    )
    this.name = 'FolderInUse'
  }
}

/**
 * Takes the lock for a short time and returns a function that releases it. Throws `FolderInUse`.
 */
export function takeLock(path: string, me = thisProcess()): () => void {
  const mine = putOwnLock(path, me)
  return () => removeLock(path, mine)
}

/** Creates the lock file. Throws `FolderInUse`. */
export function putOwnLock(path: string, me: ProcessIdentity): Lock {
  const mine: Lock = { ...me, id: randomUUID() }
  for (;;) {
    const now = putLock(path, mine)
    if (now === null) return mine
    const found = readLock(path)
    if (found && isHeld(path, found, { me, now })) {
      throw new FolderInUse(path, found, isVisibleTo(me, found))
    }
    if (found) removeStale(path, found, me)
  }
}

export function removeLock(path: string, { id }: Lock): void {
  if (readLock(path)?.id === id) rmSync(path)
}

export function textOfLock(lock: Lock): string {
  return `${JSON.stringify(lock)}\n`
}

type Seen = {
  readonly me: ProcessIdentity
  /** The time by the clock of the file system, which also stamps the lock. */
  readonly now: number
}

function isHeld(path: string, lock: Lock, { me, now }: Seen): boolean {
  if (lock.id === unreadable.id) return false
  if (isVisibleTo(me, lock)) return isAlive(lock)
  const refreshedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  // A lock from the future was refreshed under a wrong clock, and no more since.
  return refreshedAt !== undefined && Math.abs(now - refreshedAt) < staleAfterMs
}

/** Returns null if the lock is ours now; if it exists already, the time of the file system. */
function putLock(path: string, lock: Lock): number | null {
  const draft = `${path}.${lock.id}`
  writeFileSync(draft, textOfLock(lock), { mode: ownerOnly })
  try {
    linkSync(draft, path)
    return null
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return statSync(draft).mtimeMs
    throw error
  } finally {
    rmSync(draft)
  }
}

function removeStale(path: string, stale: Lock, me: ProcessIdentity): void {
  const unlock = takeLock(`${path}.dead-${stale.id}`, me)
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
