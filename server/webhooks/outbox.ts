/** What deliveries need of an outbox. It is a file of the data folder, or shared by several servers. */

import type { OutboxLine, OutboxState } from './outbox-state.ts'

export type Outbox = {
  readonly state: OutboxState
  /** Applies a line to the state at once, and keeps it soon. */
  add(line: OutboxLine): void
  /** Notes that the command log is processed up to here; kept together with the lines before. */
  reach(sequence: number): void
}
