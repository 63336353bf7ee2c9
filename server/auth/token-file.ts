/**
 * Who may call, as the tokens file says it now: a change of the file, a revocation too, counts
 * within a second.
 */

import { timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import type { Scope } from './scopes.ts'
import { watchFile, type Watch } from '../store/watched-file.ts'
import { readTokens, sha256 } from './tokens.ts'

/** What the app asks: the scope of a token, null for one that is not known. */
export type Auth = { readonly scopeOf: (secret: string) => Scope | null }

type Known = { readonly hash: Buffer; readonly scope: Scope }

export class TokenFile implements Auth {
  readonly #path: string
  /** Tokens of this process alone. */
  readonly #extra: readonly Known[]
  readonly #watch: Watch<readonly Known[]>
  #known: readonly Known[]

  /** Throws where the file is not one of tokens. */
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
      onFault: (error) => logger.error({ err: error }, 'the tokens of before stay in force'),
    })
    this.#known = this.#watch.first
  }

  /** Looks at every token, so that the time it takes says nothing about any of them. */
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
