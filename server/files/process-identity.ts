/**
 * Identifies processes, although the system reuses their ids.
 *
 * A process id identifies a process only together with its start time, and only within one boot of
 * one machine and one PID namespace. If the system does not provide these, the host and the id alone
 * are used.
 */

import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { isErrno } from './replace-file.ts'

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

/** Indexes of fields after the command name in /proc/<pid>/stat. */
const [stateField, startTimeField] = [0, 19]

export function thisProcess(): ProcessIdentity {
  const { pid } = process
  return {
    pid,
    startedAt: startOf('self'),
    boot: textOf(bootFile),
    host: hostname(),
    namespace: namespace(),
  }
}

/**
 * True if the list of processes that `me` sees would contain that process. Then a process that is
 * not in it has ended.
 */
export function isVisibleTo(me: ProcessIdentity, other: ProcessIdentity): boolean {
  if (me.boot !== other.boot) return false
  if (me.boot === null) return me.host === other.host
  return me.namespace === (other.namespace ?? me.namespace)
}

/** True if that visible process still exists and is not a zombie. */
export function isAlive({ pid, startedAt }: ProcessIdentity): boolean {
  if (!isInUse(pid) || isZombie(pid)) return false
  return startedAt === null || startedAt === startOf(pid)
}

/** The process has exited, but its parent has not yet read the exit code, so its pid is in use. */
function isZombie(pid: number): boolean {
  return fieldsOf(pid)[stateField] === 'Z'
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
  return fieldsOf(pid)[startTimeField] ?? null
}

/** Empty if the system does not provide the file. */
function fieldsOf(pid: number | 'self'): readonly string[] {
  const stat = textOf(`/proc/${pid}/stat`)
  // The command name is in parentheses and can contain any character.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}
