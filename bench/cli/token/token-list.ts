/** Where the tokens of a server are: in its data folder, or in the PostgreSQL that servers share. */

import { changeSharedTokens, readSharedTokens } from '../../../server/postgres/shared-tokens.ts'
import { shownUrl } from '../../../server/postgres/store-fault.ts'
import type { DataFolder } from '../../../server/store/data-folder.ts'
import { readTokens, writeTokens, type Token } from '../../../server/auth/tokens.ts'
import { folderOf } from '../admin/data-folder.ts'
import { storeIn, withStore, type Where } from '../admin/where.ts'
import { withFolderLock } from '../admin/with-lock.ts'

type Edit = (tokens: readonly Token[]) => readonly Token[]

export type TokenList = {
  /** Says where it is, without a password. */
  readonly place: string
  readonly read: () => Promise<readonly Token[]>
  /** Changes it while nobody else does. */
  readonly change: (edit: Edit) => Promise<void>
}

/** Throws `BadInput` for contradicting options. */
export function tokenListOf(parsed: Where, env: NodeJS.ProcessEnv): TokenList {
  const store = storeIn(parsed)
  return store === null ? listInFolder(folderOf(parsed, env)) : listInStore(store)
}

function listInFolder(folder: DataFolder): TokenList {
  const read = (): readonly Token[] => readTokens(folder.tokens)
  return {
    place: folder.tokens,
    read: () => Promise.resolve(read()),
    change: (edit) => withFolderLock(folder, () => writeTokens(folder.tokens, edit(read()))),
  }
}

function listInStore(store: string): TokenList {
  return {
    get place() {
      return shownUrl(store)
    },
    read: () => withStore(store, readSharedTokens),
    change: (edit) => withStore(store, (pool) => changeSharedTokens(pool, edit)),
  }
}
