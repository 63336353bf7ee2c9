/**
 * Who is signed in. The file has hashes only: neither a cookie nor a token can be read from it. It is
 * written at once, so a crash signs nobody out.
 */

import { createHash, randomBytes } from 'node:crypto'
import type { Caller } from '../auth/caller.ts'
import { isExpired } from '../auth/caller.ts'
import { readJsonFile } from '../files/json-file.ts'
import { replaceFile } from '../files/replace-file.ts'

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
  seenAt: number
}

/** The tokens as the server knows them now. */
export type KnownTokens = { readonly callerWithHash: (sha256: string) => Caller | null }

export class Sessions {
  readonly #path: string
  readonly #tokens: KnownTokens
  readonly #now: () => number
  readonly #sessions = new Map<string, Session>()
  #writing: Promise<void> = Promise.resolve()

  /** Throws if the file is not valid. */
  constructor(path: string, tokens: KnownTokens, now: () => number = Date.now) {
    this.#path = path
    this.#tokens = tokens
    this.#now = now
    const read = readJsonFile(path, [])
    if (!Array.isArray(read) || !read.every(isSession)) {
      throw new Error(`${path} is not a list of sessions: remove it, and everybody signs in again`)
    }
    for (const session of read) this.#sessions.set(session.id, session)
  }

  /** Begins a session; settles with the text of its cookie once it is on disk. */
  async begin(token: string): Promise<string> {
    const cookie = randomBytes(32).toString('base64url')
    const hash = hashOf(token)
    const ofToken = [...this.#sessions.values()].filter((session) => session.token === hash)
    for (const { id } of ofToken.slice(0, Math.max(0, ofToken.length - mostPerToken + 1))) {
      this.#sessions.delete(id)
    }
    const at = this.#now()
    const session = { id: hashOf(cookie), token: hash, createdAt: at, seenAt: at }
    this.#sessions.set(session.id, session)
    await this.#write()
    return cookie
  }

  /** Who is signed in with this cookie; null if nobody is. It counts as a visit. */
  callerOf(cookie: string): Caller | null {
    const caller = this.watcherOf(cookie)
    const session = this.#sessions.get(hashOf(cookie))
    const now = this.#now()
    if (caller && session && now - session.seenAt > hourMs) {
      session.seenAt = now
      void this.#write()
    }
    return caller
  }

  /** The same for an open stream, which is no visit: a page that nobody uses is signed out. */
  watcherOf(cookie: string): Caller | null {
    const session = this.#sessions.get(hashOf(cookie))
    if (!session) return null
    const now = this.#now()
    const caller = this.#tokens.callerWithHash(session.token)
    const isOver = now - session.seenAt > idleMs || now - session.createdAt > longestMs
    return caller && !isOver && !isExpired(caller, now) ? caller : null
  }

  async end(cookie: string): Promise<void> {
    if (this.#sessions.delete(hashOf(cookie))) await this.#write()
  }

  /** Settles when everything is written. */
  close(): Promise<void> {
    return this.#writing
  }

  #write(): Promise<void> {
    const now = this.#now()
    for (const { id, createdAt, seenAt } of this.#sessions.values()) {
      if (now - seenAt > idleMs || now - createdAt > longestMs) this.#sessions.delete(id)
    }
    const text = `${JSON.stringify([...this.#sessions.values()])}\n`
    // One after the other: the last state is the one that stays.
    this.#writing = this.#writing.catch(() => undefined).then(() => replaceFile(this.#path, [text]))
    return this.#writing
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

function isSession(value: unknown): value is Session {
  if (typeof value !== 'object' || value === null) return false
  const isNumber = (key: string): boolean => typeof Reflect.get(value, key) === 'number'
  const isText = (key: string): boolean => typeof Reflect.get(value, key) === 'string'
  return isText('id') && isText('token') && isNumber('createdAt') && isNumber('seenAt')
}
