/**
 * Telling processes apart, though the system gives their numbers out again.
 *
 * A number means one process only together with when that process began, and that only within one
 * boot of one machine. Where the system does not tell, the number has to do.
 */

import { readFileSync } from 'node:fs'

export type ProcessIdentity = {
  readonly pid: number
  /** When it began, in ticks since the boot; null where the system does not tell. */
  readonly startedAt: string | null
  /** The boot of the machine. */
  readonly boot: string | null
}

/** Of the fields behind the command's name in /proc/<pid>/stat. */
const [stateField, startTimeField] = [0, 19]

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, startedAt: startOf(process.pid), boot: textOf(bootFile) }
}

/** Whether that very process is still there. */
export function isAlive({ pid, startedAt, boot }: ProcessIdentity): boolean {
  if (boot !== textOf(bootFile) || !isInUse(pid) || isZombie(pid)) return false
  return startedAt === null || startedAt === startOf(pid)
}

/** It is over, and only keeps its number until whoever started it asks how it ended. */
function isZombie(pid: number): boolean {
  return fieldsOf(pid)[stateField] === 'Z'
}

const bootFile = '/proc/sys/kernel/random/boot_id'

function isInUse(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process, which must not be touched, and is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function startOf(pid: number): string | null {
  return fieldsOf(pid)[startTimeField] ?? null
}

/** None where the system does not tell. */
function fieldsOf(pid: number): readonly string[] {
  const stat = textOf(`/proc/${pid}/stat`)
  // The command's name stands in parentheses, and may hold anything.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}
