/** What a queue on Gitea or Forgejo brings along. */

import { verify } from '@octokit/webhooks-methods'
import type { Adapter } from '../forge/forges.ts'
import type { HookDialect } from '../forge/hook.ts'
import { contextStart, tagStart } from '../forge/news.ts'
import { type Json, numberIn, recordIn, shaIn, textIn } from '../forge/payload.ts'
import type { Hint } from '../hosting/forge.ts'
import type { GiteaOptions } from '../hosting/options.ts'
import { findingsOf } from './doctor.ts'
import { GiteaApi, giteaClient } from './gitea-api.ts'

/** Where a webhook says to look. */
function about(event: string, root: Json): Partial<Hint> | null {
  const { pull_request: pull, issue, sha, action, comment, context } = root
  // What this server has written itself comes back, and is nothing new.
  if (event === 'status' && textIn(context).startsWith(contextStart)) return null
  if (textIn(recordIn(comment)['body']).startsWith(tagStart)) return null
  if (event === 'issue_comment') {
    const isOnPull = root['is_pull'] === true
    return isOnPull && action === 'created' ? { hasComment: true, pulls: numberIn(issue) } : null
  }
  if (event === 'status') return { commits: shaIn(sha) }
  if (event === 'push') return {}
  // `pull_request`, `pull_request_approved`, `pull_request_rejected` and more.
  return event.startsWith('pull_request') ? { pulls: numberIn(pull) } : null
}

const giteaDialect: HookDialect = {
  unproven: 'the signature in X-Gitea-Signature is missing or not made with our secret',
  proofHeader: 'x-gitea-signature',
  proof: /^[0-9a-f]{64}$/,
  // The same as that of GitHub, without the name of the hash.
  isProven: (secret, proof, text) => verify(secret, text, `sha256=${proof}`),
  eventHeader: 'x-gitea-event',
  repository: ['repository', 'full_name'],
  about,
}

export const giteaAdapter: Adapter<GiteaOptions> = {
  open: (options) => new GiteaApi(giteaClient(options)),
  dialect: giteaDialect,
  ciPaths: ['.gitea/workflows/', '.forgejo/workflows/', '.github/workflows/', '.woodpecker'],
  findings: (options, _, asked) => findingsOf(options, asked),
}
