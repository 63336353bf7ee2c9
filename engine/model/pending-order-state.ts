/** The pending order as it is stored in the state. Only pending-order.ts changes it. */

import type { Entries } from './entries.ts'

export type Level = Entries & { priority: number }

export type PendingOrder = {
  /** PENDING: one level per priority value in use, lowest value first. Keys are submissions. */
  levels: Level[]
  /** PENDING, in the order in which they became PENDING. Keys are the instants. */
  arrivals: Entries
  /** NOT_READY, in the order in which they became NOT_READY. Keys are submissions. */
  notReady: Entries
  /** PENDING, by impacted target. Parallel mode only. */
  sharing: TargetIndex
  /** Number of PENDING pull requests, and how many of them are tested alone. */
  pending: number
  alone: number
  /** Number of NOT_READY pull requests. */
  unready: number
}

/** Pull requests by target. Keys are positions in the order (`orderKey`). */
export type TargetIndex = {
  byTarget: Record<string, Entries>
  /** The pull requests that impact every target. */
  all: Entries
}
