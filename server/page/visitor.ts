/**
 * Who asks for a page: the cookie says it, and counts only below `/page/`. A request that another site
 * makes in the name of a visitor is refused.
 */

import type { IncomingMessage } from 'node:http'
import type { Caller } from '../auth/caller.ts'
import type { ErrorResponse } from '../http/answer.ts'
import { recordOf } from '../http/request-record.ts'
import type { Sessions } from './sessions.ts'

/** With https the browser itself keeps the cookie to this host, and to https. */
function cookieName(isSecure: boolean): string {
  return isSecure ? '__Host-mergeyard' : 'mergeyard'
}

export function cookieHeader(value: string, isSecure: boolean): string {
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  return `${cookieName(isSecure)}=${value}; ${attributes}${value === '' ? '; Max-Age=0' : ''}`
}

/** The text of the cookie; empty if there is none. */
export function cookieIn({ headers }: IncomingMessage, isSecure: boolean): string {
  const prefix = `${cookieName(isSecure)}=`
  const parts = (headers.cookie ?? '').split(';').map((part) => part.trim())
  return parts.find((part) => part.startsWith(prefix))?.slice(prefix.length) ?? ''
}

export function callerIn(
  request: IncomingMessage,
  sessions: Sessions,
  isSecure: boolean,
): Caller | null {
  const cookie = cookieIn(request, isSecure)
  const caller = cookie === '' ? null : sessions.callerOf(cookie)
  if (caller) recordOf(request).token = caller.name
  return caller
}

const foreign: ErrorResponse = { status: 403, text: 'this request comes from another site' }

/**
 * The error for a request that another site has caused; null for one of the page itself. `publicHost` is
 * the host by which people know the server; empty if nobody told it.
 */
export function foreignRequest(
  { headers, method }: IncomingMessage,
  publicHost: string,
): ErrorResponse | null {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' ? null : foreign
  // Old browsers name the origin of each POST.
  const { origin, host = '' } = headers
  const own = publicHost === '' ? host : publicHost
  if (origin === undefined) return method === 'POST' ? foreign : null
  return originHost(origin) === own ? null : foreign
}

function originHost(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null
}
