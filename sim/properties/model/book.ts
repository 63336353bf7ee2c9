import type { Event, Millis } from '../../../engine/index.ts'

/** Something kept up to date by the events alone, so that a slip in the engine's own books shows. */
export type Book = {
  see(event: Event, at: Millis): void
}
