/** Where the secrets of a code host are: in a file, or in a variable. They are read when they are used. */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Secret } from '../../../server/hosting/options.ts'
import { BadInput } from '../../../terminal/bad-input.ts'

export type WrittenSecrets = {
  readonly tokenFile?: string
  readonly tokenVariable?: string
  readonly webhookSecretFiles?: readonly string[]
}

export type From = {
  /** Files are relative to it. */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

/** What names the secrets of a kind of host. */
export type SecretNames = {
  /** For people: `github`. */
  readonly kind: string
  readonly tokenVariable: string
  readonly hookVariable: string
  /** What is expected in the variable of the token. */
  readonly expected: string
}

/** Throws `BadInput` if there is no token. */
export function tokenOf(written: WrittenSecrets, names: SecretNames, from: From): Secret {
  const { tokenFile, tokenVariable } = written
  if (tokenFile !== undefined) return fileSecret(tokenFile, names, from)
  const where = tokenVariable ?? names.tokenVariable
  const token = from.env[where] ?? ''
  if (token !== '') return () => token
  const { kind, expected } = names
  throw new BadInput(kind, [{ where, expected, actual: 'nothing' }])
}

/** The secrets of webhooks: those of the files, and the one of the variable. */
export function hookSecretsOf(
  { webhookSecretFiles = [] }: WrittenSecrets,
  names: SecretNames,
  from: From,
): Secret[] {
  const hook = from.env[names.hookVariable] ?? ''
  return [
    ...webhookSecretFiles.map((path) => fileSecret(path, names, from)),
    ...(hook === '' ? [] : [() => hook]),
  ]
}

/** A file that is missing is found at the start, not at the first request. */
export function fileSecret(
  path: string,
  { kind }: Pick<SecretNames, 'kind'>,
  { folder }: Pick<From, 'folder'>,
): Secret {
  const read = (): string => {
    try {
      return readFileSync(resolve(folder, path), 'utf8').trim()
    } catch {
      const expected = 'a file that can be read'
      throw new BadInput(kind, [{ where: path, expected, actual: 'nothing' }])
    }
  }
  read()
  return read
}
