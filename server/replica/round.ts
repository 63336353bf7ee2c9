/** Those who are served together: by one look if all of them read, else by one turn. */

import type { Register } from './register.ts'

export type Kind = 'read' | 'write'

/** Somebody who waits for the next round. */
export type Waiting = {
  readonly kind: Kind
  readonly work: (register: Register) => void
  readonly settle: () => void
  readonly refuse: (error: unknown) => void
}

/**
 * Lets everybody work, one after another, and returns those who have something to settle. Work that
 * throws is refused by itself, unless it has changed something: then nothing of the round may stay.
 */
export function workOf(waiting: readonly Waiting[], register: Register): readonly Waiting[] {
  return waiting.filter(({ kind, work, refuse }) => {
    const before = register.sequence
    try {
      work(register)
    } catch (error) {
      if (register.sequence !== before) throw error
      refuse(error)
      return false
    }
    if (kind === 'read' && register.sequence !== before)
      throw new Error('work that only reads has sent a command')
    return true
  })
}
