/** The tokens that a server accepts, and whom each stands for. */

import { timingSafeEqual } from 'node:crypto'
import type { Caller } from './caller.ts'
import { readRepoPattern } from './repo-pattern.ts'
import { sha256, type Token } from './tokens.ts'

type Known = { readonly hash: Buffer; readonly caller: Caller }

/** The token of the start option. */
const startToken: Caller = {
  id: 'start option',
  name: '--token',
  scope: 'admin',
  repos: null,
  expiresAt: null,
}

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
