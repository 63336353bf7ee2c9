/** What a queue on Gitea or Forgejo brings along. */

import { verify } from '@octokit/webhooks-methods'
import type { Adapter } from '../forge/forges.ts'
import type { HookDialect, NamedHint } from '../forge/hook.ts'
import { contextStart, tagStart } from '../forge/news.ts'
import { type Json, numberIn, recordIn, shaIn, textIn } from '../forge/payload.ts'
import type { Hint } from '../hosting/forge.ts'
import type { ForgeOptions, GiteaOptions } from '../hosting/options.ts'
import { findingsOf } from './doctor.ts'
import { GiteaApi, giteaClient } from './gitea-api.ts'

/** How Gitea and Forgejo prove their webhooks: by a signature over the raw bytes. */
// Where a webhook of Gitea says to look. Nothing else is read of it: the API says what is true.

/** Null: it is about nothing that a queue looks at. */
function hintOf(event: string, payload: unknown): NamedHint | null {
  const root = recordIn(payload)
  const repository = textIn(recordIn(root['repository'])['full_name'])
  if (repository === '') return null
  const found = about(event, root)
  return found && { repository, pulls: [], commits: [], hasComment: false, ...found }
}

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

const header = 'x-gitea-signature'

const giteaDialect: HookDialect = {
  unproven: 'the signature in X-Gitea-Signature is missing or not made with our secret',
  isPlausible: (headers) => /^[0-9a-f]{64}$/.test(String(headers[header] ?? '')),
  // The same as that of GitHub, without the name of the hash.
  isProven: (secret, { headers, text }) =>
    verify(secret, text, `sha256=${String(headers[header] ?? '')}`),
  eventHeader: 'x-gitea-event',
  hintOf,
}

export const giteaAdapter: Adapter = {
  open: (options) => new GiteaApi(giteaClient(giteaIn(options))),
  dialect: giteaDialect,
  ciPaths: ['.gitea/workflows/', '.forgejo/workflows/', '.github/workflows/', '.woodpecker'],
  findings: (options, _, asked) => findingsOf(giteaIn(options), asked),
}

function giteaIn(options: ForgeOptions): GiteaOptions {
  if (options.kind === 'gitea') return options
  throw new Error(`${options.kind} is another kind of host`)
}
