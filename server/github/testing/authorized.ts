/** Whose requests the fake GitHub answers. */

import { installationToken } from './repository-routes.ts'

/** The personal token that the fake accepts. */
export const personalToken = 'github_pat_PersonalTokenOfATest0000000000'

export function isKnown(token: string): boolean {
  return token === personalToken || token === installationToken
}

const bad = 'Bad credentials'

/** Why the credentials are not accepted; null if they are. Only an App itself may ask about its installations. */
export function refusalOf(
  header = '',
  { path, now }: { readonly path: string; readonly now: number },
): string | null {
  const [kind = '', token = ''] = header.split(' ')
  if (!['token', 'bearer'].includes(kind.toLowerCase())) return bad
  if (/^\/app\b|\/installation$/.test(path)) return faultOfJwt(token, now)
  return isKnown(token) ? null : bad
}

const longestSeconds = 600

/** What GitHub says about the token that an App makes for itself; null if it is fine. The signature is not checked. */
function faultOfJwt(token: string, now: number): string | null {
  const [, payload = '', signature = ''] = token.split('.')
  if (signature === '') return 'A JSON web token could not be decoded'
  const { iat = NaN, exp = NaN }: { readonly iat?: number; readonly exp?: number } = JSON.parse(
    Buffer.from(payload, 'base64url').toString(),
  )
  const at = Math.floor(now / 1_000)
  if (exp > at + longestSeconds) {
    return "'Expiration time' claim ('exp') is too far in the future"
  }
  if (!(exp > at))
    return "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires"
  return iat <= at
    ? null
    : "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"
}
