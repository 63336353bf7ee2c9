/** Checks the token of a request and its scope. */

import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorResponse } from '../http/answer.ts'
import { scopes as allScopes, type Scope } from '../contract/scopes.ts'
import type { Auth } from './token-file.ts'

/** Returns null if the caller may call, else the error response. */
export type Gate = (headers: IncomingHttpHeaders) => ErrorResponse | null

export type GateOptions = {
  /** The scopes that allow the operation. */
  readonly scopes: readonly Scope[]
  /** True if `Authorization: Bearer` is accepted as well. */
  readonly takesBearer?: boolean
}

/** Returns a gate that any valid token passes, whatever its scope. */
export function tokenGate(auth: Auth, takesBearer = false): Gate {
  return gateFor(auth, { scopes: allScopes, takesBearer })
}

const noToken: ErrorResponse = { status: 401, text: 'a token is needed, in the header x-api-token' }
const badToken: ErrorResponse = { status: 401, text: 'the token is not known' }

export function gateFor(auth: Auth, { scopes, takesBearer = false }: GateOptions): Gate {
  return (headers) => {
    // Actions of forked workflows send an empty token. Their other headers are no authentication.
    const token = textOf(headers['x-api-token']) || (takesBearer ? bearerIn(headers) : '')
    if (token === '') return noToken
    const scope = auth.scopeOf(token)
    if (scope === null) return badToken
    if (scopes.includes(scope)) return null
    const text = `a token of scope ${scope} may not do this: it needs ${scopes.join(' or ')}`
    return { status: 403, text }
  }
}

function bearerIn({ authorization }: IncomingHttpHeaders): string {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header.trim() : ''
}
