/** The tokens that several servers share: the list of the tokens file, as a row of the database. */

import type { Pool, PoolClient } from 'pg'
import type { Caller } from '../auth/caller.ts'
import { KnownTokens } from '../auth/known-tokens.ts'
import type { Auth } from '../auth/token-file.ts'
import { makeToken, tokensIn, type Token } from '../auth/tokens.ts'
import { textOf, type Row } from './rows.ts'

const everyMs = 1_000

export async function readSharedTokens(pool: Pool): Promise<readonly Token[]> {
  const { rows } = await pool.query<Row>(select)
  return tokensOf(rows)
}

/** Changes the list. Nobody else changes it at the same time. */
export async function changeSharedTokens(
  pool: Pool,
  edit: (tokens: readonly Token[]) => readonly Token[],
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await changeWith(client, edit)
    await client.query('commit')
    client.release()
  } catch (error) {
    // What was begun ends with its session.
    client.release(true)
    throw error
  }
}

/** Without any token no client could call the API. Of several servers that start at once one makes it. */
export async function issueFirstSharedToken(
  pool: Pool,
  onFirstToken: (secret: string) => void,
): Promise<void> {
  const made: string[] = []
  await changeSharedTokens(pool, (tokens) => {
    if (tokens.length > 0) return tokens
    const { token, secret } = makeToken('first', 'admin', new Date())
    made.push(secret)
    return [token]
  })
  for (const secret of made) onFirstToken(secret)
}

const name = 'tokens'
const select = `select content from mergeyard.settings where name = '${name}'`

async function changeWith(
  client: PoolClient,
  edit: (tokens: readonly Token[]) => readonly Token[],
): Promise<void> {
  await client.query(
    `insert into mergeyard.settings (name, content) values ('${name}', '[]') on conflict do nothing`,
  )
  const { rows } = await client.query<Row>(`${select} for update`)
  const content = JSON.stringify(edit(tokensOf(rows)))
  await client.query(`update mergeyard.settings set content = $1 where name = '${name}'`, [content])
}

function tokensOf([row]: readonly Row[]): readonly Token[] {
  return row === undefined
    ? []
    : tokensIn(JSON.parse(textOf(row['content'])), 'the list in the store')
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
    return new SharedTokens(pool, adminToken, await readSharedTokens(pool))
  }

  callerOf(secret: string): Caller | null {
    return this.#known.callerOf(secret)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Without the database nothing is answered, so the tokens that are known can stay. */
  async #read(): Promise<void> {
    const tokens = await readSharedTokens(this.#pool).catch(() => null)
    if (tokens) this.#known = new KnownTokens(tokens, this.#adminToken)
  }
}
