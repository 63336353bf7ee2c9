/**
 * The tokens that the server accepts, read from the tokens file. A change of the file, also a
 * revocation, takes effect within a second.
 */

import { timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import { type FileWatch, watchFile } from '../files/watched-file.ts'
import { type Caller, readRepoPattern } from './caller.ts'
import { type Token, readTokens, sha256 } from './tokens.ts'

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

type Known = { readonly hash: Buffer; readonly caller: Caller }

/** The token of the start option. */
const startToken: Caller = {
  id: 'start option',
  name: '--token',
  scope: 'admin',
  repos: null,
  expiresAt: null,
}

/** The tokens that a server accepts, and whom each stands for. */
export class KnownTokens {
  readonly #known: readonly Known[]

  /** `adminToken` is one that only this process accepts; null: none. */
  constructor(tokens: readonly Token[], adminToken: string | null) {
    const stored = tokens.map((token) => ({
      hash: Buffer.from(token.sha256, 'hex'),
      caller: callerWith(token),
    }))
    const extra = adminToken === null ? [] : [{ hash: sha256(adminToken), caller: startToken }]
    this.#known = [...stored, ...extra]
  }

  get count(): number {
    return this.#known.length
  }

  /** Compares with every token, so that the time it takes reveals nothing about any of them. */
  callerOf(secret: string): Caller | null {
    const hash = sha256(secret)
    let caller: Caller | null = null
    for (const known of this.#known) if (timingSafeEqual(known.hash, hash)) caller = known.caller
    return caller
  }

  /** Returns the caller with the token of this SHA-256, in hexadecimal digits. */
  callerWithHash(hex: string): Caller | null {
    const hash = Buffer.from(hex, 'hex')
    return this.#known.find((known) => known.hash.equals(hash))?.caller ?? null
  }
}

function callerWith({ id, name, scope, repos, expiresAt }: Token): Caller {
  return {
    id,
    name,
    scope,
    repos: repos?.flatMap((text) => readRepoPattern(text) ?? []) ?? null,
    expiresAt: expiresAt === undefined ? null : Date.parse(expiresAt),
  }
}
