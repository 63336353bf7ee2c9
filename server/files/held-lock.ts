/**
 * A lock that is held for long, by a server. It is refreshed while the process runs, so that servers
 * that cannot see the process know that it is alive. Its holder notices within seconds if another
 * server has replaced it.
 */

import { closeSync, openSync, readFileSync, write } from 'node:fs'
import { promisify } from 'node:util'
import { putOwnLock, removeLock, staleAfterMs, textOfLock, type Lock } from './lock.ts'
import { thisProcess } from './process-identity.ts'
import { isErrno } from './replace-file.ts'

const writeBytes = promisify(write)

const refreshEveryMs = staleAfterMs / 5

export type HeldLock = {
  /** Reads the lock file. */
  readonly isMine: () => boolean
  readonly release: () => Promise<void>
}

/** Takes the lock. Throws `FolderInUse`. `onLost` is called once if another process replaces it. */
export function holdLock(path: string, onLost: () => void, me = thisProcess()): HeldLock {
  const mine = putOwnLock(path, me)
  const file = openSync(path, 'r+')
  const bytes = Buffer.from(textOfLock(mine))
  const isMine = (): boolean => idIn(path) === mine.id
  let refreshing: Promise<void> | null = null
  const refresh = async (): Promise<void> => {
    // The same bytes: only the time of the file changes, by the clock of the file system.
    await writeBytes(file, bytes, 0, bytes.length, 0)
    if (isMine()) return
    clearInterval(timer)
    onLost()
  }
  const timer = setInterval(() => {
    // A disk that cannot be read now is noticed by the next commit.
    refreshing ??= refresh()
      .catch(() => undefined)
      .finally(() => (refreshing = null))
  }, refreshEveryMs).unref()
  const release = async (): Promise<void> => {
    clearInterval(timer)
    // The number of a closed file may be given to another file at once.
    await refreshing
    closeSync(file)
    removeLock(path, mine)
  }
  return { isMine, release }
}

function idIn(path: string): string | null {
  try {
    const lock: Lock = JSON.parse(readFileSync(path, 'utf8'))
    return lock.id
  } catch (error) {
    if (error instanceof SyntaxError) return null
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
}
