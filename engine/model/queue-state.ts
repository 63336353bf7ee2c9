/**
 * The states of a queue and what each of them permits, as data.
 *
 * Rules: E-98 to E-102.
 */

export const queueStates = ['RUNNING', 'PAUSED', 'DRAINING', 'SWITCHING_MODES'] as const
export type QueueState = (typeof queueStates)[number]

/** The states that a command can set. SWITCHING_MODES occurs only during a change of mode. */
export const writableQueueStates = ['RUNNING', 'PAUSED', 'DRAINING'] as const
export type WritableQueueState = (typeof writableQueueStates)[number]

export type Permission =
  /** A submitted pull request may become PENDING. */
  | 'admits'
  /** A pull request that has never started may start. */
  | 'startsNew'
  /**
   * A pull request that was in the line already may start again: restarts, bisections, survivors.
   */
  | 'startsKnown'
  /** A group that passed may merge. */
  | 'merges'

export const queueStateTable: Readonly<Record<QueueState, Readonly<Record<Permission, boolean>>>> =
  {
    RUNNING: { admits: true, startsNew: true, startsKnown: true, merges: true },
    PAUSED: { admits: false, startsNew: false, startsKnown: false, merges: false },
    DRAINING: { admits: false, startsNew: false, startsKnown: true, merges: true },
    SWITCHING_MODES: { admits: false, startsNew: false, startsKnown: true, merges: true },
  }

/** True if this state permits it. Test runs in progress continue in every state. */
export function allows(state: QueueState, permission: Permission): boolean {
  return queueStateTable[state][permission]
}
