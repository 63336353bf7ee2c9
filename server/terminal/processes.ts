/** What Linux tells of the processes of this machine, in /proc; elsewhere nothing. */

import { readdirSync } from 'node:fs'
import { textAt } from './files.ts'

export function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0)
  } catch {
    return []
  }
}

/** `fields` are those of /proc/<pid>/stat behind the name of the program; none for a process that is gone. */
export type ProcessStat = { readonly name: string; readonly fields: readonly string[] }

/** The name can be anything, also with spaces and parentheses. */
export function statOf(pid: number | 'self'): ProcessStat {
  const text = textAt(`/proc/${pid}/stat`) ?? ''
  const end = text.lastIndexOf(')')
  if (end < 0) return { name: '', fields: [] }
  return { name: text.slice(text.indexOf('(') + 1, end), fields: text.slice(end + 2).split(' ') }
}
