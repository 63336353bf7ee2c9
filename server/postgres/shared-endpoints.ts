/** The endpoints of webhooks that several servers share: the list of the webhooks file, in the database. */

import type { Pool } from 'pg'
import { endpointsIn, type Endpoint } from '../webhooks/endpoints.ts'
import { changeSetting, readSetting, type SharedSetting } from './shared-setting.ts'

const setting: SharedSetting<Endpoint> = {
  name: 'webhooks',
  itemsIn: (found) => endpointsIn(found, 'the list in the store'),
}

export function readSharedEndpoints(pool: Pool): Promise<readonly Endpoint[]> {
  return readSetting(pool, setting)
}

/** Changes the list. Nobody else changes it at the same time. */
export function changeSharedEndpoints(
  pool: Pool,
  edit: (endpoints: readonly Endpoint[]) => readonly Endpoint[],
): Promise<void> {
  return changeSetting(pool, setting, edit)
}
