/** Where a webhook of Gitea says to look. Nothing else is read of it: the API says what is true. */

import type { NamedHint } from '../forge/hook.ts'
import { contextStart, tagStart } from '../forge/news.ts'
import { numberIn, recordIn, shaIn, textIn, type Json } from '../forge/payload.ts'
import type { Hint } from '../hosting/forge.ts'

/** Null: it is about nothing that a queue looks at. */
export function hintOf(event: string, payload: unknown): NamedHint | null {
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
