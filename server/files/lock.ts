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
import {
  linkSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  closeSync,
  openSync,
  write,
  readlinkSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { hostname } from 'node:os'
import { textAt } from '../terminal/files.ts'
import { statOf } from '../terminal/processes.ts'
import { isErrno, ownerOnly, writeFault } from './replace-file.ts'

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
function putOwnLock(path: string, me: ProcessIdentity): Lock {
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

function removeLock(path: string, { id }: Lock): void {
  if (readLock(path)?.id === id) rmSync(path)
}

function textOfLock(lock: Lock): string {
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
  try {
    writeFileSync(draft, textOfLock(lock), { mode: ownerOnly })
    linkSync(draft, path)
    return null
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return statSync(draft).mtimeMs
    throw writeFault(path, error)
  } finally {
    rmSync(draft, { force: true })
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

// A lock that is held for long, by a server. It is refreshed while the process runs, so that servers
// that cannot see the process know that it is alive. Its holder notices within seconds if another
// server has replaced it.

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

// Identifies processes, although the system reuses their ids.
//
// A process id identifies a process only together with its start time, and only within one boot of
// one machine and one PID namespace. If the system does not provide these, the host and the id alone
// are used.

export type ProcessIdentity = {
  readonly pid: number
  /** Start time in ticks since the boot; null if the system does not provide it. */
  readonly startedAt: string | null
  /** The id of the machine's boot; null if the system does not provide it. */
  readonly boot: string | null
  /** Missing in locks of version 1.0.0. */
  readonly host?: string
  /** Containers have PID namespaces of their own. Null if the system does not provide it. */
  readonly namespace?: string | null
}

/** Indexes of fields of a `ProcessStat`. */
const [stateField, startTimeField] = [0, 19]

export function thisProcess(): ProcessIdentity {
  const { pid } = process
  return {
    pid,
    startedAt: startOf('self'),
    boot: textAt(bootFile)?.trim() ?? null,
    host: hostname(),
    namespace: namespace(),
  }
}

/**
 * True if the list of processes that `me` sees would contain that process. Then a process that is
 * not in it has ended.
 */
function isVisibleTo(me: ProcessIdentity, other: ProcessIdentity): boolean {
  if (me.boot !== other.boot) return false
  if (me.boot === null) return me.host === other.host
  return me.namespace === (other.namespace ?? me.namespace)
}

/** True if that visible process still exists and is not a zombie. */
function isAlive({ pid, startedAt }: ProcessIdentity): boolean {
  if (!isInUse(pid) || isZombie(pid)) return false
  return startedAt === null || startedAt === startOf(pid)
}

/** The process has exited, but its parent has not yet read the exit code, so its pid is in use. */
function isZombie(pid: number): boolean {
  return statOf(pid).fields[stateField] === 'Z'
}

const bootFile = '/proc/sys/kernel/random/boot_id'

/** Includes whether /proc shows this namespace; otherwise its process ids mean other processes. */
function namespace(): string | null {
  try {
    const shown = Number(readFileSync('/proc/self/stat', 'utf8').split(' ', 1)[0])
    const own = readlinkSync('/proc/self/ns/pid')
    return shown === process.pid ? own : `${own} seen from outside`
  } catch {
    return null
  }
}

function isInUse(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process exists, but belongs to another user.
    return isErrno(error, 'EPERM')
  }
}

function startOf(pid: number | 'self'): string | null {
  return statOf(pid).fields[startTimeField] ?? null
}
