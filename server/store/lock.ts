/**
 * One server works on a data folder: the lock names it, and a lock whose owner is gone counts for
 * nothing, however it went.
 *
 * A lock appears whole, by a link, so nobody reads half of one. Taking away a dead one is itself
 * done under a lock, named after the dead one: else two that find it dead could each take away
 * what the other has just put there.
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
        'Stop that server first, or give this one a folder of its own with --data',
    )
    this.name = 'FolderInUse'
  }
}

/** Takes the lock, or throws `FolderInUse`. Answers how to give it back. */
export function takeLock(path: string): () => void {
  const mine: Lock = { id: randomUUID(), ...thisProcess() }
  while (!putLock(path, mine)) {
    const found = readLock(path)
    if (found && isAlive(found)) throw new FolderInUse(path, found.pid)
    if (found) removeDead(path, found)
  }
  return () => {
    if (readLock(path)?.id === mine.id) rmSync(path)
  }
}

/** False where there is one already. */
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

function removeDead(path: string, dead: Lock): void {
  const unlock = takeLock(`${path}.dead-${dead.id}`)
  try {
    // Somebody may have been quicker; then it is another lock by now.
    if (readLock(path)?.id === dead.id) rmSync(path)
  } finally {
    unlock()
  }
}

const unreadable: Lock = { id: 'unreadable', pid: 0, startedAt: '', boot: '' }

/** Null where there is none. Locks appear whole: what cannot be read is left from a loss of power. */
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
