/** Where a webhook of GitHub says to look. Nothing else is read of it: the API says what is true. */

import type { Hint } from '../hosting/forge.ts'
import type { NamedHint } from '../forge/hook.ts'
import { contextStart, tagStart } from '../forge/news.ts'
import { numberIn, recordIn, shaIn, textIn, type Json } from '../forge/payload.ts'
import { testBranchPrefix } from '../hosting/testers.ts'

/** Null: it is about nothing that a queue looks at. */
export function hintOf(event: string, payload: unknown): NamedHint | null {
  const root = recordIn(payload)
  const repository = recordIn(root['repository'])['full_name']
  if (typeof repository !== 'string') return null
  const found = about(event, root)
  return found && { repository, pulls: [], commits: [], hasComment: false, ...found }
}

function about(event: string, root: Json): Partial<Hint> | null {
  const { pull_request: pull, issue, sha, action } = root
  if (isOurs(event, root)) return null
  switch (event) {
    case 'pull_request':
    case 'pull_request_review':
      return { pulls: numberIn(pull) }
    case 'issue_comment': {
      const isOnPull = 'pull_request' in recordIn(issue)
      return isOnPull && action === 'created' ? { hasComment: true, pulls: numberIn(issue) } : null
    }
    case 'check_run':
    case 'check_suite':
    case 'workflow_run':
    case 'workflow_job':
      return { commits: shaIn(recordIn(root[event])['head_sha']) }
    case 'status':
      return { commits: shaIn(sha) }
    case 'push':
      return {}
    default:
      return null
  }
}

/** What this server has written itself comes back, and is nothing new. */
function isOurs(event: string, root: Json): boolean {
  const { context, pull_request: pull, comment } = root
  if (event === 'status') return textIn(context).startsWith(contextStart)
  if (event === 'issue_comment') return textIn(recordIn(comment)['body']).startsWith(tagStart)
  const { ref } = recordIn(recordIn(pull)['head'])
  return event === 'pull_request' && `refs/heads/${textIn(ref)}`.startsWith(testBranchPrefix)
}
