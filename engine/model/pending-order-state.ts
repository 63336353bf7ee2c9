/** How the pending order is kept in the state; pending-order.ts has the say over it. */

import type { Entries } from './entries.ts'

export type Level = Entries & { priority: number }

export type PendingOrder = {
  /** PENDING, a level per priority value in use, lowest value first; keys are submissions. */
  levels: Level[]
  /** PENDING, in the order in which they became so; keys are the instants. */
  arrivals: Entries
  /** NOT_READY, in the order in which they became so; keys are submissions. */
  notReady: Entries
  /** PENDING, by what they touch: who shares a target with whom. Parallel mode only. */
  sharing: Sharing
  /** How many are PENDING, and how many of those are tested alone. */
  pending: number
  alone: number
  /** How many are NOT_READY. */
  unready: number
}

/** Keys are places in the order. */
export type Sharing = {
  byTarget: Record<string, Entries>
  /** Those that touch everything. */
  all: Entries
}
