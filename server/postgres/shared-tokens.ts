/** The tokens that several servers share: the list of the tokens file, as a row of the database. */

import type { Pool } from 'pg'
import { KnownTokens, type Token, makeToken, tokensIn } from '../auth/tokens.ts'
import { type SharedSetting, changeSetting, readSetting } from './shared-setting.ts'

const everyMs = 1_000

export const sharedTokens: SharedSetting<Token> = {
  name: 'tokens',
  itemsIn: (found) => tokensIn(found, 'the list in the store'),
}

/** Without any token no client could call the API. Of several servers that start at once one makes it. */
export async function issueFirstSharedToken(
  pool: Pool,
  onFirstToken: (secret: string) => void,
): Promise<void> {
  const made: string[] = []
  await changeSetting(pool, sharedTokens, (tokens) => {
    if (tokens.length > 0) return tokens
    const { token, secret } = makeToken('first', 'admin', new Date())
    made.push(secret)
    return [token]
  })
  for (const secret of made) onFirstToken(secret)
}

/** The tokens as this server knows them. A change, also a revocation, takes effect within a second. */
export async function openSharedTokens(
  pool: Pool,
  adminToken: string | null,
): Promise<KnownTokens> {
  const first = await readSetting(pool, sharedTokens)
  const timer = setInterval(() => {
    readSetting(pool, sharedTokens).then(
      (tokens) => known.become(tokens),
      // Without the database nothing is answered, so the tokens that are known can stay.
      () => undefined,
    )
  }, everyMs).unref()
  const known = new KnownTokens(first, { adminToken, close: () => clearInterval(timer) })
  return known
}
