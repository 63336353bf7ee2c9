/** Who may pass: a token, and a scope that allows what is asked for. */

import type { IncomingHttpHeaders } from 'node:http'
import type { Refusal } from '../http/answer.ts'
import type { Scope } from './scopes.ts'
import type { Auth } from './token-file.ts'

export type Gate = (headers: IncomingHttpHeaders) => Refusal | null

export type GateOptions = {
  /** The scopes that may. */
  readonly scopes: readonly Scope[]
  /** Whether the token may also come as `Authorization: Bearer`. */
  readonly takesBearer?: boolean
}

const noToken: Refusal = { status: 401, text: 'a token is needed, in the header x-api-token' }
const badToken: Refusal = { status: 401, text: 'the token is not known' }

/** Answers null for who may pass, else why not. */
export function gateFor(auth: Auth, { scopes, takesBearer = false }: GateOptions): Gate {
  return (headers) => {
    // Actions of forked workflows send an empty one; what they send beside it proves nothing here.
    const token = textOf(headers['x-api-token']) || (takesBearer ? bearerIn(headers) : '')
    if (token === '') return noToken
    const scope = auth.scopeOf(token)
    if (scope === null) return badToken
    if (scopes.includes(scope)) return null
    const text = `a token of scope ${scope} may not do this: it takes ${scopes.join(' or ')}`
    return { status: 403, text }
  }
}

function bearerIn({ authorization }: IncomingHttpHeaders): string {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header.trim() : ''
}
