/**
 * The tokens that the server accepts, read from the tokens file. A change of the file, also a
 * revocation, takes effect within a second.
 */

import { timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import { watchFile } from '../files/watched-file.ts'
import { type Caller, readRepoPattern } from './caller.ts'
import { type Token, readTokens, sha256 } from './tokens.ts'

/** Returns the caller with a token, also an expired one; null if the token is unknown. */
export type Auth = { readonly callerOf: (secret: string) => Caller | null }

/** Throws if the file is not a valid list of tokens. */
export function tokenFile(path: string, adminToken: string | null, logger: Logger): KnownTokens {
  const watch = watchFile({
    path,
    read: () => readTokens(path),
    onChange: (tokens) => {
      known.become(tokens)
      logger.info({ tokens: known.count }, 'read the tokens again')
    },
    onFault: (error) =>
      logger.error(
        { err: error },
        'the tokens file is not valid; the previous tokens stay in force',
      ),
  })
  const known = new KnownTokens(watch.first, { adminToken, close: watch.end })
  return known
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

type TokensParts = {
  /** A token that only this process accepts; null: none. */
  readonly adminToken: string | null
  /** Ends what notices changes. */
  readonly close: () => void
}

/** The tokens that a server accepts, and whom each stands for. */
export class KnownTokens implements Auth {
  readonly close: () => void
  readonly #extra: readonly Known[]
  #known: readonly Known[] = []

  constructor(tokens: readonly Token[], { adminToken, close }: TokensParts) {
    this.close = close
    this.#extra = adminToken === null ? [] : [{ hash: sha256(adminToken), caller: startToken }]
    this.become(tokens)
  }

  /** From now on these count. */
  become(tokens: readonly Token[]): void {
    const stored = tokens.map((token) => ({
      hash: Buffer.from(token.sha256, 'hex'),
      caller: callerWith(token),
    }))
    this.#known = [...stored, ...this.#extra]
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
