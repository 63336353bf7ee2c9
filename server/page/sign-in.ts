/** Sign-in with a token, and sign-out. The page never keeps the token: it gets a cookie for it. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { isExpired } from '../auth/caller.ts'
import type { PageParts } from './page-parts.ts'
import { readFields } from './read-fields.ts'
import { sendPageError } from './page-error.ts'
import { cookieHeader, cookieIn } from './visitor.ts'

type SignInParts = Pick<PageParts, 'auth' | 'failures' | 'sessions' | 'isSecure'>

export async function signIn(
  { auth, failures, sessions, isSecure }: SignInParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const address = request.socket.remoteAddress ?? ''
  const read = await readFields(request)
  if ('status' in read) return sendPageError(response, read)
  const { token } = read.fields
  const caller = typeof token === 'string' ? auth.callerOf(token) : null
  const seconds = failures.retryAfter(address, caller)
  if (seconds > 0) {
    const text = `too many wrong tokens from this address: try again in ${seconds} s`
    return sendPageError(response, { status: 429, text, retryAfter: seconds })
  }
  if (typeof token !== 'string' || !caller || isExpired(caller, Date.now())) {
    failures.failed(address)
    const text = caller ? 'the token has expired' : 'the token is not known'
    return sendPageError(response, { status: 401, text })
  }
  failures.worked(address, caller)
  const cookie = await sessions.begin(token)
  response.writeHead(204, { 'Set-Cookie': cookieHeader(cookie, isSecure) })
  response.end()
}

export async function signOut(
  { sessions, isSecure }: SignInParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  await sessions.end(cookieIn(request, isSecure))
  response.writeHead(204, { 'Set-Cookie': cookieHeader('', isSecure) })
  response.end()
}
