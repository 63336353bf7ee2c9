/**
 * What strangers see when the operator shows the page to everybody. The types are those of members in
 * which each field that is for members only is empty or `never`, so the compiler refuses to fill it.
 */

import type { EndedRow, QueueHead, Row, RunRow } from './frame.ts'

/** Faults can name branches and paths. */
export type PublicHead = QueueHead & {
  readonly stateBy: null
  readonly faults: readonly []
  readonly waysIn: readonly []
}

export type PublicRow = Row & { readonly member?: never }

export type PublicEnded = EndedRow & { readonly member?: never }

export type PublicRun = RunRow & { readonly url?: never }

/** For whom a view is made: the public view has no title, person, test, link or ticket. */
export type Audience = 'member' | 'public'
