/**
 * The tokens that the server accepts, read from the tokens file. A change of the file, also a
 * revocation, takes effect within a second.
 */

import { timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import type { Scope } from '../contract/scopes.ts'
import { watchFile, type FileWatch } from '../files/watched-file.ts'
import { readTokens, sha256 } from './tokens.ts'

/** Returns the scope of a token, or null if the token is unknown. */
export type Auth = { readonly scopeOf: (secret: string) => Scope | null }

type Known = { readonly hash: Buffer; readonly scope: Scope }

export class TokenFile implements Auth {
  readonly #path: string
  /** Tokens that only this process accepts. */
  readonly #extra: readonly Known[]
  readonly #watch: FileWatch<readonly Known[]>
  #known: readonly Known[]

  /** Throws if the file is not a valid list of tokens. */
  constructor(path: string, adminToken: string | null, logger: Logger) {
    this.#path = path
    this.#extra = adminToken === null ? [] : [{ hash: sha256(adminToken), scope: 'admin' }]
    this.#watch = watchFile<readonly Known[]>({
      path,
      read: () => this.#read(),
      onChange: (known) => {
        this.#known = known
        logger.info({ tokens: known.length }, 'read the tokens again')
      },
      onFault: (error) =>
        logger.error(
          { err: error },
          'the tokens file is not valid; the previous tokens stay in force',
        ),
    })
    this.#known = this.#watch.first
  }

  /** Compares with every token, so that the time it takes reveals nothing about any of them. */
  scopeOf(secret: string): Scope | null {
    const hash = sha256(secret)
    let scope: Scope | null = null
    for (const known of this.#known) if (timingSafeEqual(known.hash, hash)) scope = known.scope
    return scope
  }

  close(): void {
    this.#watch.end()
  }

  #read(): Known[] {
    const stored = readTokens(this.#path).map(({ sha256: hash, scope }) => {
      return { hash: Buffer.from(hash, 'hex'), scope }
    })
    return [...stored, ...this.#extra]
  }
}
