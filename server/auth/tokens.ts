/**
 * The tokens file: a JSON array with the SHA-256 of each token, never the token itself.
 */

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readJsonFile } from '../files/json-file.ts'
import { replaceFile } from '../files/replace-file.ts'
import { isScope, scopes, type Scope } from '../contract/scopes.ts'

export type Token = {
  readonly id: string
  readonly name: string
  readonly scope: Scope
  /** The SHA-256 of the token, in hex. */
  readonly sha256: string
  /** ISO 8601. */
  readonly createdAt: string
}

export function sha256(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Makes a token: the record to store, and the secret, which must be shown once and not stored. */
export function makeToken(
  name: string,
  scope: Scope,
  now: Date,
): { readonly token: Token; readonly secret: string } {
  const secret = `my_${randomBytes(32).toString('base64url')}`
  const token = {
    id: randomUUID(),
    name,
    scope,
    sha256: sha256(secret).toString('hex'),
    createdAt: now.toISOString(),
  }
  return { token, secret }
}

/** Returns the tokens of a file; none if there is no file. Throws if the file is not valid. */
export function readTokens(path: string): Token[] {
  const found = readJsonFile(path, [])
  if (Array.isArray(found) && found.every(isToken)) return found
  throw new Error(
    `${path} is not a list of tokens: expected [{ id, name, scope, sha256, createdAt }, ...], ` +
      `scope one of ${scopes.join(', ')}, sha256 in hex`,
  )
}

export async function writeTokens(path: string, tokens: readonly Token[]): Promise<void> {
  await replaceFile(path, [`${JSON.stringify(tokens, null, 2)}\n`])
}

function isToken(value: unknown): value is Token {
  if (typeof value !== 'object' || value === null) return false
  const { id, name, scope, sha256: hash, createdAt }: Partial<Record<keyof Token, unknown>> = value
  const areTexts = [id, name, createdAt].every((text) => typeof text === 'string')
  return areTexts && isScope(scope) && typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash)
}
