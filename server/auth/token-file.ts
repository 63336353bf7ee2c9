/**
 * The tokens that the server accepts, read from the tokens file. A change of the file, also a
 * revocation, takes effect within a second.
 */

import type { Logger } from 'pino'
import { watchFile, type FileWatch } from '../files/watched-file.ts'
import type { Caller } from './caller.ts'
import { KnownTokens } from './known-tokens.ts'
import { readTokens } from './tokens.ts'

/** Returns the caller with a token, also an expired one; null if the token is unknown. */
export type Auth = { readonly callerOf: (secret: string) => Caller | null }

export class TokenFile implements Auth {
  readonly #watch: FileWatch<KnownTokens>
  #known: KnownTokens

  /** Throws if the file is not a valid list of tokens. */
  constructor(path: string, adminToken: string | null, logger: Logger) {
    this.#watch = watchFile<KnownTokens>({
      path,
      read: () => new KnownTokens(readTokens(path), adminToken),
      onChange: (known) => {
        this.#known = known
        logger.info({ tokens: known.count }, 'read the tokens again')
      },
      onFault: (error) =>
        logger.error(
          { err: error },
          'the tokens file is not valid; the previous tokens stay in force',
        ),
    })
    this.#known = this.#watch.first
  }

  callerOf(secret: string): Caller | null {
    return this.#known.callerOf(secret)
  }

  /** Returns the caller with the token of this SHA-256, in hexadecimal digits. */
  callerWithHash(hex: string): Caller | null {
    return this.#known.callerWithHash(hex)
  }

  close(): void {
    this.#watch.end()
  }
}
