/** What everybody who watches a run of the simulator sees of it: one accepted command at a time. */

import type { Command, Event, QueueView } from '../engine/index.ts'
import type { Death } from './crashes.ts'

export type Moment = {
  /** How many events the engine had published before this command. */
  readonly sequence: number
  readonly command: Command
  readonly events: readonly Event[]
  /** The queue after the command, at rest. */
  readonly queue: QueueView
  /** The engine dies after the command, and is rebuilt before the next. */
  readonly death?: Death
}
