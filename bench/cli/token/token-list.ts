/** Where the tokens of a server are: in its data folder, or in the PostgreSQL that servers share. */

import { connect } from '../../../server/postgres/connect.ts'
import { changeSharedTokens, readSharedTokens } from '../../../server/postgres/shared-tokens.ts'
import { shownUrl } from '../../../server/postgres/store-fault.ts'
import { readTokens, writeTokens, type Token } from '../../../server/auth/tokens.ts'
import type { OptionTable } from '../../../sim/terminal/option-table.ts'
import type { ParsedOptions } from '../../../sim/terminal/parse-options.ts'
import { dataOption, folderOf } from '../admin/data-folder.ts'
import { withFolderLock } from '../admin/with-lock.ts'

export const whereOptions = {
  ...dataOption,
  store: {
    kind: 'value',
    value: 'address',
    help: 'the PostgreSQL of servers that share one, instead of --data',
    variable: 'MERGEYARD_STORE',
  },
} as const satisfies OptionTable

type Edit = (tokens: readonly Token[]) => readonly Token[]

export type TokenList = {
  /** Says where it is, without a password. */
  readonly place: string
  readonly read: () => Promise<readonly Token[]>
  /** Changes it while nobody else does. */
  readonly change: (edit: Edit) => Promise<void>
}

type Where = Pick<ParsedOptions<typeof whereOptions>, 'value' | 'text' | 'isGiven' | 'fault'>

/** Throws `BadInput` for contradicting options. */
export function tokenListOf(parsed: Where): TokenList {
  const store = parsed.text('store') ?? ''
  if (store === '') return listInFolder(parsed)
  if (parsed.isGiven('data')) throw parsed.fault('store', 'no --data: one of them')
  return listInStore(store)
}

function listInFolder(parsed: Where): TokenList {
  const folder = folderOf(parsed)
  const read = (): readonly Token[] => readTokens(folder.tokens)
  return {
    place: folder.tokens,
    read: () => Promise.resolve(read()),
    change: (edit) => withFolderLock(folder, () => writeTokens(folder.tokens, edit(read()))),
  }
}

function listInStore(store: string): TokenList {
  const withPool = async <T>(use: (pool: Awaited<ReturnType<typeof connect>>) => Promise<T>) => {
    const pool = await connect(store)
    try {
      return await use(pool)
    } finally {
      await pool.end()
    }
  }
  return {
    get place() {
      return shownUrl(store)
    },
    read: () => withPool(readSharedTokens),
    change: (edit) => withPool((pool) => changeSharedTokens(pool, edit)),
  }
}
