/** Where the webhooks of a server are: in its data folder, or in the PostgreSQL that servers share. */

import { PostgresOutbox } from '../../../server/postgres/postgres-outbox.ts'
import {
  changeSharedEndpoints,
  readSharedEndpoints,
} from '../../../server/postgres/shared-endpoints.ts'
import type { DataFolder } from '../../../server/store/data-folder.ts'
import { type Endpoint, readEndpoints, writeEndpoints } from '../../../server/webhooks/endpoints.ts'
import { readOutbox } from '../../../server/webhooks/outbox-file.ts'
import type { OutboxState } from '../../../server/webhooks/outbox.ts'
import { stateOf } from '../../../server/webhooks/shared-outbox.ts'
import { folderOf } from '../admin/data-folder.ts'
import { type Where, storeIn, withStore } from '../admin/where.ts'
import { withFolderLock } from '../admin/with-lock.ts'

type Edit = (endpoints: readonly Endpoint[]) => readonly Endpoint[]

export type WebhookPlace = {
  readonly endpoints: () => Promise<readonly Endpoint[]>
  /** Changes them while no other command does. A running server follows within a second or two. */
  readonly change: (edit: Edit) => Promise<void>
  readonly outbox: () => Promise<OutboxState>
}

/** Throws `BadInput` for contradicting options. */
export function placeOf(parsed: Where, env: NodeJS.ProcessEnv): WebhookPlace {
  const store = storeIn(parsed)
  return store === null ? inFolder(folderOf(parsed, env)) : inStore(store)
}

function inFolder(folder: DataFolder): WebhookPlace {
  const read = (): readonly Endpoint[] => readEndpoints(folder.webhooks)
  return {
    endpoints: async () => Promise.resolve(read()),
    change: (edit) => withFolderLock(folder, () => writeEndpoints(folder.webhooks, edit(read()))),
    outbox: async () => Promise.resolve(readOutbox(folder.outbox)),
  }
}

function inStore(store: string): WebhookPlace {
  return {
    endpoints: () => withStore(store, readSharedEndpoints),
    change: (edit) => withStore(store, (pool) => changeSharedEndpoints(pool, edit)),
    outbox: () => withStore(store, async (pool) => stateOf(await new PostgresOutbox(pool).read())),
  }
}
