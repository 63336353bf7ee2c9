/** How Gitea and Forgejo prove their webhooks: by a signature over the raw bytes. */

import { verify } from '@octokit/webhooks-methods'
import type { HookDialect } from '../forge/hook.ts'
import { hintOf } from './hint.ts'

const header = 'x-gitea-signature'

export const giteaDialect: HookDialect = {
  unproven: 'the signature in X-Gitea-Signature is missing or not made with our secret',
  isPlausible: (headers) => /^[0-9a-f]{64}$/.test(String(headers[header] ?? '')),
  // The same as that of GitHub, without the name of the hash.
  isProven: (secret, { headers, text }) =>
    verify(secret, text, `sha256=${String(headers[header] ?? '')}`),
  eventHeader: 'x-gitea-event',
  hintOf,
}
