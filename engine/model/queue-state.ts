/**
 * The states of a queue and what each of them lets happen, as data.
 *
 * Source: interface document "Queue states"; spec "Queue states".
 */

export const queueStates = ['RUNNING', 'PAUSED', 'DRAINING', 'SWITCHING_MODES'] as const
export type QueueState = (typeof queueStates)[number]

/** The states a person may ask for; SWITCHING_MODES is only ever passed through. */
export const writableQueueStates = ['RUNNING', 'PAUSED', 'DRAINING'] as const
export type WritableQueueState = (typeof writableQueueStates)[number]

export type Permission =
  /** A submitted pull request may become PENDING. */
  | 'admits'
  /** A pull request that has never started may start. */
  | 'startsNew'
  /** What was in the line already may start again: restarts, bisections, survivors. */
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

/** Whether a queue in this state lets this happen. Test runs under way go on in every state. */
export function allows(state: QueueState, permission: Permission): boolean {
  return queueStateTable[state][permission]
}
