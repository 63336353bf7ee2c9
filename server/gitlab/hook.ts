/** How GitLab proves its webhooks: it sends the secret itself. */

import { timingSafeEqual } from 'node:crypto'
import type { HookDialect } from '../forge/hook.ts'
import { hintOf } from './hint.ts'

const header = 'x-gitlab-token'

export const gitlabDialect: HookDialect = {
  unproven: 'the token in X-Gitlab-Token is missing or not our secret',
  isPlausible: (headers) => typeof headers[header] === 'string' && headers[header] !== '',
  isProven: (secret, { headers }) => Promise.resolve(isSame(secret, String(headers[header] ?? ''))),
  eventHeader: 'x-gitlab-event',
  hintOf,
}

/** In a time that tells nothing about the secret but its length. */
function isSame(secret: string, token: string): boolean {
  const [ours, theirs] = [Buffer.from(secret), Buffer.from(token)]
  return ours.length === theirs.length && timingSafeEqual(ours, theirs)
}
