/**
 * A term: the right to do what one of several servers does at a time. It ends by the clock of the database,
 * unless its server prolongs it; so another one can go on if that server has died or stands still.
 */

import type { Millis } from '../../engine/index.ts'
import type { Timers } from './timers.ts'

/** A term ends so long after it was taken or prolonged. */
export const termMs: Millis = 5_000

/** How often a term is asked for, or prolonged. */
export const askEveryMs: Millis = 1_000

/** Whose term it is, as the database keeps it. Every method rejects if the outcome is not known. */
export type Terms = {
  /** Takes the term, or prolongs it if it is the server's own. False: another server has it. */
  take(server: string): Promise<boolean>
  /** Ends the term of this server, so that another one can take it at once. */
  giveBack(server: string): Promise<void>
}

export type TermPorts = {
  readonly terms: Terms
  /** Names this process; another one never has the same name. */
  readonly server: string
  readonly timers: Timers
  /** Never runs backwards. */
  readonly clock: () => Millis
  /** False while this server must not work, or has nothing to do. */
  readonly isAble: () => boolean | Promise<boolean>
}
