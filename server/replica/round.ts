/** Those who are served together: by one look if all of them read, else by one turn. */

import type { Kind } from '../queues/entrance.ts'
import type { Register } from './register.ts'

/** Somebody who waits for the next round. */
export type Waiting = {
  readonly kind: Kind
  readonly work: (register: Register) => Promise<void>
  readonly settle: () => void
  readonly refuse: (error: unknown) => void
}

/**
 * Lets everybody work, one after another, and returns those who have something to settle. Work that
 * throws is refused by itself, unless it has changed something: then nothing of the round may stay.
 */
export async function workOf(
  waiting: readonly Waiting[],
  register: Register,
): Promise<readonly Waiting[]> {
  const served: Waiting[] = []
  for (const each of waiting) {
    const before = register.sequence
    try {
      await each.work(register)
      served.push(each)
    } catch (error) {
      if (register.sequence !== before) throw error
      each.refuse(error)
    }
    if (each.kind === 'read' && register.sequence !== before)
      throw new Error('work that only reads has sent a command')
  }
  return served
}
