/** How GitHub proves its webhooks: by a signature over the raw bytes. */

import { verify } from '@octokit/webhooks-methods'
import type { HookDialect } from '../forge/hook.ts'
import { hintOf } from './hint.ts'

const header = 'x-hub-signature-256'

export const githubDialect: HookDialect = {
  unproven: 'the signature in X-Hub-Signature-256 is missing or not made with our secret',
  isPlausible: (headers) => /^sha256=[0-9a-f]{64}$/.test(String(headers[header] ?? '')),
  isProven: (secret, { headers, text }) => verify(secret, text, String(headers[header] ?? '')),
  eventHeader: 'x-github-event',
  hintOf,
}
