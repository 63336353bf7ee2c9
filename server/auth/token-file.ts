/**
 * Who may call, as the tokens file says it now: a change of the file, a revocation too, counts
 * within a second.
 */

import { timingSafeEqual } from 'node:crypto'
import { statSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Scope } from './scopes.ts'
import { readTokens, sha256 } from './tokens.ts'

const lookEveryMs = 400

/** What the app asks: the scope of a token, null for one that is not known. */
export type Auth = { readonly scopeOf: (secret: string) => Scope | null }

type Known = { readonly hash: Buffer; readonly scope: Scope }

export class TokenFile implements Auth {
  readonly #path: string
  readonly #logger: Logger
  /** Tokens of this process alone. */
  readonly #extra: readonly Known[]
  readonly #timer: NodeJS.Timeout
  #known: readonly Known[]
  #seen: string

  /** Throws where the file is not one of tokens. */
  constructor(path: string, adminToken: string | null, logger: Logger) {
    this.#path = path
    this.#logger = logger
    this.#extra = adminToken === null ? [] : [{ hash: sha256(adminToken), scope: 'admin' }]
    this.#seen = this.#look()
    this.#known = this.#read()
    this.#timer = setInterval(() => this.#refresh(), lookEveryMs).unref()
  }

  /** Looks at every token, so that the time it takes says nothing about any of them. */
  scopeOf(secret: string): Scope | null {
    const hash = sha256(secret)
    let scope: Scope | null = null
    for (const known of this.#known) if (timingSafeEqual(known.hash, hash)) scope = known.scope
    return scope
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #refresh(): void {
    const seen = this.#look()
    if (seen === this.#seen) return
    this.#seen = seen
    try {
      this.#known = this.#read()
      this.#logger.info({ tokens: this.#known.length }, 'read the tokens again')
    } catch (error) {
      this.#logger.error({ err: error }, 'the tokens of before stay in force')
    }
  }

  #read(): Known[] {
    const stored = readTokens(this.#path).map(({ sha256: hash, scope }) => {
      return { hash: Buffer.from(hash, 'hex'), scope }
    })
    return [...stored, ...this.#extra]
  }

  /** Changes whenever the file does. */
  #look(): string {
    const stat = statSync(this.#path, { throwIfNoEntry: false })
    return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}` : 'none'
  }
}
