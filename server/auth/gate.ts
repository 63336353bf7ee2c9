/** Checks the token of a request and its scope. */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { ErrorResponse } from '../http/answer.ts'
import { recordOf } from '../http/request-record.ts'
import { scopes as allScopes, type Scope } from '../contract/scopes.ts'
import { isExpired, type Caller } from './caller.ts'
import type { Failures } from './failures.ts'
import type { Auth } from './token-file.ts'

type Admission =
  | { readonly caller: Caller; readonly denied: null }
  | { readonly caller: null; readonly denied: ErrorResponse }

/** Returns the caller, or the error response for one who may not call. */
export type Gate = (request: IncomingMessage) => Admission

export type GateParts = {
  readonly auth: Auth
  readonly failures: Failures
  readonly refusals: Refusals
}

export type GateOptions = {
  /** The scopes that allow the operation. */
  readonly scopes: readonly Scope[]
  /** True if `Authorization: Bearer` is accepted as well. */
  readonly takesBearer?: boolean
}

/** Returns a gate that any valid token passes, whatever its scope. */
export function tokenGate(parts: GateParts, takesBearer = false): Gate {
  return gateFor(parts, { scopes: allScopes, takesBearer })
}

export function gateFor(parts: GateParts, { scopes, takesBearer = false }: GateOptions): Gate {
  const { auth, failures, refusals } = parts
  const refuse = (reason: RefusalReason, denied: ErrorResponse): Admission => {
    refusals.add(reason)
    return { caller: null, denied }
  }
  return (request) => {
    const { headers } = request
    const address = request.socket.remoteAddress ?? ''
    // Actions of forked workflows send an empty token. Their other headers are no authentication.
    const token = textOf(headers['x-api-token']) || (takesBearer ? bearerIn(headers) : '')
    if (token === '') return refuse('missing', noToken)
    const caller = auth.callerOf(token)
    const seconds = failures.retryAfter(address, caller)
    if (seconds > 0) return refuse('limited', limited(seconds))
    if (!caller || isExpired(caller, Date.now())) {
      failures.failed(address)
      return caller ? refuse('expired', expired(caller)) : refuse('unknown', badToken)
    }
    failures.worked(address, caller)
    recordOf(request).token = caller.name
    if (scopes.includes(caller.scope)) return { caller, denied: null }
    return refuse('scope', wrongScope(caller.scope, scopes))
  }
}

const noToken: ErrorResponse = { status: 401, text: 'a token is needed, in the header x-api-token' }
const badToken: ErrorResponse = { status: 401, text: 'the token is not known' }

function expired({ expiresAt }: Caller): ErrorResponse {
  const at = new Date(expiresAt ?? 0).toISOString()
  return { status: 401, text: `the token expired at ${at}: ask an administrator for a new one` }
}

function limited(retryAfter: number): ErrorResponse {
  const text = `too many wrong tokens from this address: try again in ${retryAfter} s`
  return { status: 429, text, retryAfter }
}

function wrongScope(scope: Scope, scopes: readonly Scope[]): ErrorResponse {
  const text = `a token of scope ${scope} may not do this: it needs ${scopes.join(' or ')}`
  return { status: 403, text }
}

function bearerIn({ authorization }: IncomingHttpHeaders): string {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header.trim() : ''
}

/** The refused requests of callers, counted by reason since the start of this process. */
export const refusalReasons = [
  'missing',
  'unknown',
  'expired',
  'limited',
  'scope',
  'repository',
] as const
type RefusalReason = (typeof refusalReasons)[number]

export class Refusals {
  readonly #counts = new Map<RefusalReason, number>()

  add(reason: RefusalReason): void {
    this.#counts.set(reason, this.of(reason) + 1)
  }

  of(reason: RefusalReason): number {
    return this.#counts.get(reason) ?? 0
  }
}
