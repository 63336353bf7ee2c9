/**
 * The tokens file: a JSON array with the SHA-256 of each token, never the token itself.
 */

import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import { readJsonFile, replaceFile } from '../files/replace-file.ts'
import { isScope, scopes, type Scope } from '../contract/openapi.ts'
import { nameOfRepository, type Repository } from '../identity/queue-ref.ts'
import { watchFile } from '../files/foreign-file.ts'

export type Token = {
  readonly id: string
  readonly name: string
  readonly scope: Scope
  /** The SHA-256 of the token, in hex. */
  readonly sha256: string
  /** ISO 8601. */
  readonly createdAt: string
  /** Patterns of the repositories that it may use; absent: all. */
  readonly repos?: readonly string[]
  /** ISO 8601; absent: never. */
  readonly expiresAt?: string
}

/** What limits a token, beside its scope. */
export type TokenLimits = Pick<Token, 'repos' | 'expiresAt'>

function sha256(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** Makes a token: the record to store, and the secret, which must be shown once and not stored. */
export function makeToken(
  name: string,
  scope: Scope,
  now: Date,
  limits: TokenLimits = {},
): { readonly token: Token; readonly secret: string } {
  const secret = `my_${randomBytes(32).toString('base64url')}`
  const token = {
    id: randomUUID(),
    name,
    scope,
    sha256: sha256(secret).toString('hex'),
    createdAt: now.toISOString(),
    ...limits,
  }
  return { token, secret }
}

/** Returns the tokens of a file; none if there is no file. Throws if the file is not valid. */
export function readTokens(path: string): Token[] {
  return tokensIn(readJsonFile(path, []), path)
}

/** Throws if what was read is not a list of tokens; `from` says where it was read. */
export function tokensIn(found: unknown, from: string): Token[] {
  if (Array.isArray(found) && found.every(isToken)) return found
  throw new Error(
    `${from} is not a list of tokens: expected [{ id, name, scope, sha256, createdAt }, ...], ` +
      `scope one of ${scopes.join(', ')}, sha256 in hex; optional repos ["owner/name", ...], expiresAt`,
  )
}

export async function writeTokens(path: string, tokens: readonly Token[]): Promise<void> {
  await replaceFile(path, [`${JSON.stringify(tokens, null, 2)}\n`])
}

function isToken(value: unknown): value is Token {
  if (typeof value !== 'object' || value === null) return false
  const found: Partial<Record<keyof Token, unknown>> = value
  const { id, name, scope, sha256: digest, createdAt, repos, expiresAt } = found
  const areTexts = [id, name, createdAt].every((text) => typeof text === 'string')
  const isHash = typeof digest === 'string' && /^[0-9a-f]{64}$/.test(digest)
  return areTexts && isScope(scope) && isHash && areRepos(repos) && isTime(expiresAt)
}

/** A pattern that cannot be read must not become a token for everything. */
function areRepos(value: unknown): boolean {
  if (value === undefined) return true
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((text) => typeof text === 'string' && readRepoPattern(text) !== null)
  )
}

function isTime(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && !Number.isNaN(Date.parse(value)))
}

// Who sends a request: a token without its secret.

export type Caller = {
  readonly id: string
  readonly name: string
  readonly scope: Scope
  /** Null: all repositories. */
  readonly repos: readonly RegExp[] | null
  /** In milliseconds since 1970; null: never. */
  readonly expiresAt: number | null
}

/** False for a repository of which the caller may not even learn that it exists. */
export function sees({ repos }: Pick<Caller, 'repos'>, repository: Repository): boolean {
  return repos === null || repos.some((pattern) => pattern.test(nameOfRepository(repository)))
}

export function isExpired({ expiresAt }: Caller, now: number): boolean {
  return expiresAt !== null && expiresAt <= now
}

// The repositories that a token may use, as patterns:
//
//     acme/shop             this owner and name, on any host
//     github.com/acme/*     every repository of this owner on this host
//     gitlab.com/acme/**    also those in its nested groups
//
// The parts are separated by slashes. Two parts are owner and name; of three or more the first is the
// host. `*` stands for any text within a part, and `**` as a whole part for one part or more.

/** Returns null if `text` is not a pattern. */
export function readRepoPattern(text: string): RegExp | null {
  const parts = text.split('/')
  if (parts.length < 2 || parts.some((part) => !isPart(part))) return null
  const [host = '', ...path] = parts.length === 2 ? ['*', ...parts] : parts
  // Hosts are compared without regard to letter case, and a repository has its host in lower case.
  return new RegExp(`^${[host.toLowerCase(), ...path].map(partSource).join('/')}$`, 'u')
}

function isPart(part: string): boolean {
  return part !== '' && !/[\s\p{Cc}]/u.test(part) && (part === '**' || !part.includes('**'))
}

function partSource(part: string): string {
  if (part === '**') return '[^/]+(?:/[^/]+)*'
  const texts = part
    .split('*')
    .map((text) => text.replaceAll(/[.+?^${}()|[\]\\]/gu, String.raw`\$&`))
  return texts.join('[^/]*')
}

// The tokens that the server accepts, read from the tokens file. A change of the file, also a
// revocation, takes effect within a second.

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
    const wanted = sha256(secret)
    let caller: Caller | null = null
    for (const known of this.#known) if (timingSafeEqual(known.hash, wanted)) caller = known.caller
    return caller
  }

  /** Returns the caller with the token of this SHA-256, in hexadecimal digits. */
  callerWithHash(hex: string): Caller | null {
    const wanted = Buffer.from(hex, 'hex')
    return this.#known.find((known) => known.hash.equals(wanted))?.caller ?? null
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
