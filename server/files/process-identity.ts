/**
 * Identifies processes, although the system reuses their ids.
 *
 * A process id identifies a process only together with its start time, and only within one boot of
 * one machine. If the system does not provide these, the id alone is used.
 */

import { readFileSync } from 'node:fs'

export type ProcessIdentity = {
  readonly pid: number
  /** Start time in ticks since the boot; null if the system does not provide it. */
  readonly startedAt: string | null
  /** The id of the machine's boot; null if the system does not provide it. */
  readonly boot: string | null
}

/** Indexes of fields after the command name in /proc/<pid>/stat. */
const [stateField, startTimeField] = [0, 19]

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, startedAt: startOf(process.pid), boot: textOf(bootFile) }
}

/** True if that process still exists and is not a zombie. */
export function isAlive({ pid, startedAt, boot }: ProcessIdentity): boolean {
  if (boot !== textOf(bootFile) || !isInUse(pid) || isZombie(pid)) return false
  return startedAt === null || startedAt === startOf(pid)
}

/** The process has exited, but its parent has not yet read the exit code, so its pid is in use. */
function isZombie(pid: number): boolean {
  return fieldsOf(pid)[stateField] === 'Z'
}

const bootFile = '/proc/sys/kernel/random/boot_id'

function isInUse(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process exists, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function startOf(pid: number): string | null {
  return fieldsOf(pid)[startTimeField] ?? null
}

/** Empty if the system does not provide the file. */
function fieldsOf(pid: number): readonly string[] {
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
