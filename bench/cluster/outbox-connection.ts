/** What a server sees of the outbox in the database. */

import type {
  KeptOutbox,
  OutboxDatabase,
  OutboxWrite,
} from '../../server/webhooks/outbox-database.ts'
import type { Endpoint } from '../../server/webhooks/endpoints.ts'
import type { SimulatedOutbox } from './outbox.ts'
import { Wire, type WireParts } from './wire.ts'

export class OutboxConnection implements OutboxDatabase {
  readonly #wire: Wire
  readonly #outbox: SimulatedOutbox

  constructor(parts: WireParts, outbox: SimulatedOutbox) {
    this.#wire = new Wire(parts)
    this.#outbox = outbox
  }

  write(sender: string, write: OutboxWrite): Promise<boolean> {
    return this.#wire.ask((answer) => answer(this.#outbox.write(sender, write)))
  }

  read(): Promise<KeptOutbox> {
    return this.#wire.ask((answer) => answer(this.#outbox.read()))
  }

  endpoints(): Promise<readonly Endpoint[]> {
    return this.#wire.ask((answer) => answer(this.#outbox.endpoints))
  }
}
