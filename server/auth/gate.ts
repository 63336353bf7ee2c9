/** Checks the token of a request and its scope. */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { ErrorResponse } from '../http/answer.ts'
import { recordOf } from '../http/request-record.ts'
import type { Counts } from '../history/counts.ts'
import { scopes as allScopes, type Scope } from '../contract/openapi.ts'
import { isExpired, type Caller, type Auth } from './tokens.ts'
import { networkOf } from '../http/limits.ts'

type Admission =
  | { readonly caller: Caller; readonly denied: null }
  | { readonly caller: null; readonly denied: ErrorResponse; readonly reason: RefusalReason }

const refused = (reason: RefusalReason, denied: ErrorResponse): Admission => {
  return { caller: null, denied, reason }
}

/** Returns the caller, or the error response for one who may not call. */
export type Gate = (request: IncomingMessage) => Admission

export type GateParts = {
  readonly auth: Auth
  readonly failures: Failures
  /** By reason, since the start of this process. */
  readonly refusals: Counts
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
  const admissionOf = (request: IncomingMessage): Admission => {
    const { headers } = request
    // Actions of forked workflows send an empty token. Their other headers are no authentication.
    const token = textOf(headers['x-api-token']) || (takesBearer ? bearerIn(headers) : '')
    if (token === '') return refused('missing', noToken)
    const holder = whoHas(token, parts, request)
    if (holder.denied) return holder
    const { caller } = holder
    recordOf(request).token = caller.name
    return scopes.includes(caller.scope)
      ? holder
      : refused('scope', wrongScope(caller.scope, scopes))
  }
  return (request) => {
    const admission = admissionOf(request)
    if (admission.denied) parts.refusals.add(admission.reason)
    return admission
  }
}

/** Whose token it is, unless it may not be used, or too many wrong ones came from the address of the request. */
export function whoHas(
  token: string,
  { auth, failures }: Pick<GateParts, 'auth' | 'failures'>,
  { socket: { remoteAddress: address = '' } }: IncomingMessage,
): Admission {
  const caller = auth.callerOf(token)
  const seconds = failures.retryAfter(address, caller)
  if (seconds > 0) return refused('limited', limited(seconds))
  if (!caller || isExpired(caller, Date.now())) {
    failures.failed(address)
    return caller ? refused('expired', expired(caller)) : refused('unknown', badToken)
  }
  failures.worked(address, caller)
  return { caller, denied: null }
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

export function wrongScope(scope: Scope, scopes: readonly Scope[]): ErrorResponse {
  const text = `a token of scope ${scope} may not do this: it needs ${scopes.join(' or ')}`
  return { status: 403, text }
}

function bearerIn({ authorization }: IncomingHttpHeaders): string {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header.trim() : ''
}

/** Why requests of callers are refused. */
export const refusalReasons = [
  'missing',
  'unknown',
  'expired',
  'limited',
  'scope',
  'repository',
] as const
type RefusalReason = (typeof refusalReasons)[number]

// Limits the failed authorisations of an address.
//
// Only wrong tokens count: a request without any is no guess. Behind a proxy all clients have one address, so a token that has worked from
// an address keeps working while others fail there. A token that was never used from there does not:
// otherwise the limit would not slow down somebody who guesses.

const windowMs = 60_000
export const mostFailures = 60
/** The limit of addresses in memory; beyond it the oldest are dropped. */
const mostAddresses = 10_000

type AddressRecord = { failures: number; until: number; readonly worked: Set<string> }

export class Failures {
  readonly #now: () => number
  readonly #addresses = new Map<string, AddressRecord>()

  /** `now` never runs backwards: an hour by which the system time is set back is no hour to wait. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** The seconds until the address may try again; 0 if it may now. */
  retryAfter(address: string, caller: Caller | null): number {
    const record = this.#addresses.get(networkOf(address))
    if (!record || record.failures < mostFailures) return 0
    if (caller && record.worked.has(caller.id)) return 0
    return Math.max(0, Math.ceil((record.until - this.#now()) / 1_000))
  }

  failed(address: string): void {
    const record = this.#recordOf(address)
    if (record.until <= this.#now()) {
      record.failures = 0
      record.until = this.#now() + windowMs
    }
    record.failures++
  }

  worked(address: string, { id }: Caller): void {
    const key = networkOf(address)
    if (!this.#addresses.get(key)?.worked.has(id)) this.#recordOf(address).worked.add(id)
  }

  #recordOf(address: string): AddressRecord {
    const key = networkOf(address)
    const known = this.#addresses.get(key)
    if (known) return known
    const record: AddressRecord = { failures: 0, until: 0, worked: new Set() }
    this.#addresses.set(key, record)
    const [oldest] = this.#addresses.keys()
    if (this.#addresses.size > mostAddresses && oldest !== undefined) {
      this.#addresses.delete(oldest)
    }
    return record
  }
}
