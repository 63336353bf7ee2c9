/** Whose requests the fake GitHub answers. */

import { faultOfJwt } from './jwt.ts'
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
