/**
 * Who asks for a page: the cookie says it, and counts only below `/page/`. A request that another site
 * makes in the name of a visitor is refused.
 */

import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'
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
  { headers, method, socket }: IncomingMessage,
  publicHost: string,
): ErrorResponse | null {
  const named = headers.host ?? ''
  if (isLoopback(socket.localAddress ?? '') && named !== publicHost && !isLoopback(named)) {
    return misdirected(named)
  }
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' ? null : foreign
  // Old browsers name the origin of each POST.
  const { origin, host = '' } = headers
  const own = publicHost === '' ? host : publicHost
  if (origin === undefined) return method === 'POST' ? foreign : null
  return originHost(origin) === own ? null : foreign
}

/** a site can give its own name the address of this machine, and its pages then count as ours. */
function misdirected(named: string): ErrorResponse {
  const host = JSON.stringify(named.slice(0, 80))
  const text = `this server does not know the host ${host}: if people reach it there, set --public-url`
  return { status: 421, text }
}

/** True for an address of the own machine, or a host of a URL that means it, with or without a port. */
function isLoopback(host: string): boolean {
  const address = host === '::1' ? '[::1]' : host.replace(/^::ffff:/, '')
  if (!URL.canParse(`http://${address}`)) return false
  const { hostname } = new URL(`http://${address}`)
  if (isIPv4(hostname)) return hostname.startsWith('127.')
  return hostname === '[::1]' || /^(.*\.)?localhost$/.test(hostname)
}

function originHost(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null
}
