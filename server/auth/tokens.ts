/**
 * The tokens file: a JSON array with the SHA-256 of each token, never the token itself.
 */

import { hash, randomBytes, randomUUID } from 'node:crypto'
import { readJsonFile } from '../files/json-file.ts'
import { replaceFile } from '../files/replace-file.ts'
import { readRepoPattern } from './caller.ts'
import { isScope, scopes, type Scope } from '../contract/scopes.ts'

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

export function sha256(secret: string): Buffer {
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
