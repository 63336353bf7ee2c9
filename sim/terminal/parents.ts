/**
 * Notices that the processes are gone that started this one. npm starts a command by a shell and hands
 * signals on, but a killed npm hands nothing on.
 */

import { readFileSync } from 'node:fs'

const checkEveryMs = 500

/** Calls `onGone` once, when the parent, or on Linux the parent of a shell in between, has ended. */
export function watchParents(onGone: () => void, parentsNow: () => string = parents): void {
  const before = parentsNow()
  const timer = setInterval(() => {
    if (parentsNow() === before) return
    clearInterval(timer)
    onGone()
  }, checkEveryMs).unref()
}

const shells: ReadonlySet<string> = new Set(['sh', 'dash', 'bash', 'ash', 'busybox'])

/**
 * The parent, and its parent if the parent is a shell. A process whose parent ends gets another one.
 * The parent of npm itself may end: so ends the shell of a person who logs out.
 */
function parents(): string {
  const { name, parent } = statusOf(process.ppid)
  return shells.has(name) ? `${process.ppid} ${parent}` : `${process.ppid}`
}

/** Empty where the system does not tell. */
function statusOf(pid: number): { readonly name: string; readonly parent: string } {
  try {
    const [, name = '', parent = ''] =
      /^\d+ \((.*)\) \S (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return { name, parent }
  } catch {
    return { name: '', parent: '' }
  }
}
