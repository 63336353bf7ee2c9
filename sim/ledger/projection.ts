import type { EventHandlers } from '../steps/handlers.ts'

/**
 * One part of the ledger. Only events update it. It never reads the engine's state, so that an
 * error in that state shows as a difference.
 */
export type Projection = { readonly on: EventHandlers }
