/** The tokens that several servers share: the list of the tokens file, as a row of the database. */

import type { Pool } from 'pg'
import type { Caller } from '../auth/caller.ts'
import { type Auth, KnownTokens } from '../auth/token-file.ts'
import { type Token, makeToken, tokensIn } from '../auth/tokens.ts'
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
export class SharedTokens implements Auth {
  readonly #pool: Pool
  readonly #adminToken: string | null
  readonly #timer: NodeJS.Timeout
  #known: KnownTokens

  private constructor(pool: Pool, adminToken: string | null, tokens: readonly Token[]) {
    this.#pool = pool
    this.#adminToken = adminToken
    this.#known = new KnownTokens(tokens, adminToken)
    this.#timer = setInterval(() => void this.#read(), everyMs).unref()
  }

  static async open(pool: Pool, adminToken: string | null): Promise<SharedTokens> {
    return new SharedTokens(pool, adminToken, await readSetting(pool, sharedTokens))
  }

  callerOf(secret: string): Caller | null {
    return this.#known.callerOf(secret)
  }

  /** The caller with the token of this SHA-256, in hexadecimal digits. */
  callerWithHash(hex: string): Caller | null {
    return this.#known.callerWithHash(hex)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Without the database nothing is answered, so the tokens that are known can stay. */
  async #read(): Promise<void> {
    const tokens = await readSetting(this.#pool, sharedTokens).catch(() => null)
    if (tokens) this.#known = new KnownTokens(tokens, this.#adminToken)
  }
}
