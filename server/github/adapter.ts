/** What a queue on GitHub brings along. */

import { verify } from '@octokit/webhooks-methods'
import type { Adapter } from '../forge/forges.ts'
import type { HookDialect, NamedHint } from '../forge/hook.ts'
import { contextStart, tagStart } from '../forge/news.ts'
import { type Json, numberIn, recordIn, shaIn, textIn } from '../forge/payload.ts'
import type { Hint } from '../hosting/forge.ts'
import type { ForgeOptions, GitHubOptions } from '../hosting/options.ts'
import { testBranchPrefix } from '../hosting/testers.ts'
import { GitHubClient } from './client.ts'
import { findingsOf } from './doctor.ts'
import { GitHubApi } from './github-api.ts'

/** How GitHub proves its webhooks: by a signature over the raw bytes. */
// Where a webhook of GitHub says to look. Nothing else is read of it: the API says what is true.

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

const header = 'x-hub-signature-256'

export const githubDialect: HookDialect = {
  unproven: 'the signature in X-Hub-Signature-256 is missing or not made with our secret',
  isPlausible: (headers) => /^sha256=[0-9a-f]{64}$/.test(String(headers[header] ?? '')),
  isProven: (secret, { headers, text }) => verify(secret, text, String(headers[header] ?? '')),
  eventHeader: 'x-github-event',
  hintOf,
}

export const githubAdapter: Adapter = {
  open: (options, logger, pace) => new GitHubApi(new GitHubClient(githubIn(options), logger, pace)),
  dialect: githubDialect,
  ciPaths: ['.github/workflows/'],
  findings: (options, logger, asked) => findingsOf(githubIn(options), logger, asked),
}

function githubIn(options: ForgeOptions): GitHubOptions {
  if (options.kind === 'github') return options
  throw new Error(`${options.kind} is another kind of host`)
}
