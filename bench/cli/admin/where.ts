/** Where the settings of a server are: in its data folder, or in the PostgreSQL that servers share. */

import type { Pool } from 'pg'
import type { OptionTable, ParsedOptions } from '../../../terminal/options.ts'
import { dataOption } from './data-folder.ts'

export const whereOptions = {
  ...dataOption,
  store: {
    kind: 'value',
    value: 'address',
    help: 'the PostgreSQL of servers that share one, instead of --data',
    variable: 'MERGEYARD_STORE',
  },
} as const satisfies OptionTable

export type Where = Pick<ParsedOptions<typeof whereOptions>, 'value' | 'text' | 'isGiven' | 'fault'>

/** The address of the store; null: the data folder. Throws `BadInput` if both are given. */
export function storeIn(parsed: Where): string | null {
  const store = parsed.text('store') ?? ''
  if (store === '') return null
  if (parsed.isGiven('data')) throw parsed.fault('store', 'no --data: one of them')
  return store
}

export async function withStore<T>(store: string, use: (pool: Pool) => Promise<T>): Promise<T> {
  // Most commands have a data folder, and start without the driver.
  const { connect } = await import('../../../server/postgres/connect.ts')
  const pool = await connect(store)
  try {
    return await use(pool)
  } finally {
    await pool.end()
  }
}
