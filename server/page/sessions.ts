/**
 * Who is signed in. Only hashes are kept: neither a cookie nor a token can be read from them. They are kept at
 * once, so a crash signs nobody out.
 */

import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'
import { type Caller, isExpired } from '../auth/tokens.ts'
import { readJsonFile, replaceFile } from '../files/replace-file.ts'
import type { ErrorResponse } from '../http/answer.ts'

const hourMs = 3_600_000
const idleMs = 12 * hourMs
const longestMs = 7 * 24 * hourMs
const mostPerToken = 10

export type Session = {
  /** SHA-256 of the cookie. */
  readonly id: string
  /** SHA-256 of the token. */
  readonly token: string
  readonly createdAt: number
  readonly seenAt: number
}

/** The tokens as the server knows them now. */
export type KnownTokens = { readonly callerWithHash: (sha256: string) => Caller | null }

export type EditSessions = (sessions: readonly Session[]) => readonly Session[]

/** Where sessions are kept: a file, or a database that several servers share. */
export type KeptSessions = {
  /** As far as this server knows. */
  readonly known: () => readonly Session[]
  /** What `known` returns is changed once it has settled. */
  readonly change: (edit: EditSessions) => Promise<void>
  /** Settles when a session that began before this call is known; undefined if all of them are. */
  readonly refresh: () => Promise<void> | undefined
  /** Settles when everything is written. */
  readonly close: () => Promise<void>
}

export class Sessions {
  readonly #kept: KeptSessions
  readonly #tokens: KnownTokens
  readonly #now: () => number

  constructor(kept: KeptSessions, tokens: KnownTokens, now: () => number = Date.now) {
    this.#kept = kept
    this.#tokens = tokens
    this.#now = now
  }

  /** Begins a session; settles with the text of its cookie once it is kept. */
  async begin(token: string): Promise<string> {
    const cookie = randomBytes(32).toString('base64url')
    const hash = hashOf(token)
    const at = this.#now()
    const session = { id: hashOf(cookie), token: hash, createdAt: at, seenAt: at }
    await this.#change((sessions) => {
      const ofToken = sessions.filter((each) => each.token === hash)
      const tooMany = new Set(ofToken.slice(0, Math.max(0, ofToken.length - mostPerToken + 1)))
      return [...sessions.filter((each) => !tooMany.has(each)), session]
    })
    return cookie
  }

  /** Another server may have signed this visitor in. Undefined if there is nothing to wait for. */
  meet(cookie: string): Promise<void> | undefined {
    return cookie === '' || this.#find(cookie) ? undefined : this.#kept.refresh()
  }

  /** Who is signed in with this cookie; null if nobody is. It counts as a visit. */
  callerOf(cookie: string): Caller | null {
    const caller = this.watcherOf(cookie)
    const session = this.#find(cookie)
    const now = this.#now()
    if (caller && session && now - session.seenAt > hourMs) {
      const seen = { ...session, seenAt: now }
      const edit: EditSessions = (all) => all.map((each) => (each.id === seen.id ? seen : each))
      // A visit that is not kept is only forgotten.
      this.#change(edit).catch(() => undefined)
    }
    return caller
  }

  /** The same for an open stream, which is no visit: a page that nobody uses is signed out. */
  watcherOf(cookie: string): Caller | null {
    const session = this.#find(cookie)
    if (!session) return null
    const now = this.#now()
    const caller = this.#tokens.callerWithHash(session.token)
    return caller && !isOver(session, now) && !isExpired(caller, now) ? caller : null
  }

  async end(cookie: string): Promise<void> {
    if (!this.#find(cookie)) return
    const id = hashOf(cookie)
    await this.#change((sessions) => sessions.filter((each) => each.id !== id))
  }

  /** Settles when everything is written. */
  close(): Promise<void> {
    return this.#kept.close()
  }

  #find(cookie: string): Session | undefined {
    const id = hashOf(cookie)
    return this.#kept.known().find((each) => each.id === id)
  }

  #change(edit: EditSessions): Promise<void> {
    const now = this.#now()
    return this.#kept.change((sessions) => edit(sessions).filter((each) => !isOver(each, now)))
  }
}

const isOver = ({ seenAt, createdAt }: Session, now: number): boolean =>
  now - seenAt > idleMs || now - createdAt > longestMs

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Null if the value is not a list of sessions. */
export function sessionsIn(value: unknown): readonly Session[] | null {
  return Array.isArray(value) && value.every(isSession) ? value : null
}

function isSession(value: unknown): value is Session {
  if (typeof value !== 'object' || value === null) return false
  const isNumber = (key: string): boolean => typeof Reflect.get(value, key) === 'number'
  const isText = (key: string): boolean => typeof Reflect.get(value, key) === 'string'
  return isText('id') && isText('token') && isNumber('createdAt') && isNumber('seenAt')
}

/** The sessions of a server with a data folder, in a file. Throws if the file is not valid. */
export function sessionFile(path: string): KeptSessions {
  const read = sessionsIn(readJsonFile(path, []))
  if (!read)
    throw new Error(`${path} is not a list of sessions: remove it, and everybody signs in again`)
  let sessions = read
  let writing: Promise<void> = Promise.resolve()
  return {
    known: () => sessions,
    change: (edit) => {
      sessions = edit(sessions)
      const text = `${JSON.stringify(sessions)}\n`
      // One after the other: the last state is the one that stays.
      writing = writing.catch(() => undefined).then(() => replaceFile(path, [text]))
      return writing
    },
    refresh: () => undefined,
    close: () => writing,
  }
}

// Who asks for a page: the cookie says it, and counts only below `/page/`. A request that another site
// makes in the name of a visitor is refused.

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
  // Proxies tell the name in any letter case, and a port or none.
  const isKnown = publicHost !== '' && nameIn(named) === nameIn(publicHost)
  if (isLoopback(socket.localAddress ?? '') && !isKnown && !isLoopback(named)) {
    return misdirected(named)
  }
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' ? null : foreign
  // Old browsers name the origin of each POST.
  const { origin, host = '' } = headers
  const own = publicHost === '' ? host : publicHost
  if (origin === undefined) return method === 'POST' ? foreign : null
  return originHost(origin) === own ? null : fromElsewhere(origin, own)
}

/** Where people reach the server may be known to its proxy only. */
function fromElsewhere(origin: string, own: string): ErrorResponse {
  const [from, here] = [origin, own].map((place) => JSON.stringify(place.slice(0, 80)))
  const text = `this request comes from ${from}, not from ${here}: if people reach the server there, set --public-url`
  return { status: 403, text }
}

/** a site can give its own name the address of this machine, and its pages then count as ours. */
function misdirected(named: string): ErrorResponse {
  const host = JSON.stringify(named.slice(0, 80))
  const text = `this server does not know the host ${host}: if people reach it there, set --public-url`
  return { status: 421, text }
}

/** True for an address of the own machine, or a host of a URL that means it, with or without a port. */
function isLoopback(host: string): boolean {
  const name = nameIn(host === '::1' ? '[::1]' : host.replace(/^::ffff:/, ''))
  if (isIPv4(name)) return name.startsWith('127.')
  return name === '[::1]' || /^(.*\.)?localhost$/.test(name)
}

/** The name in a host of a URL, without its port; empty if it is none. */
function nameIn(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
}

function originHost(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null
}
