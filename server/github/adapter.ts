/** What a queue on GitHub brings along. */

import { verify } from '@octokit/webhooks-methods'
import type { Adapter } from '../forge/forges.ts'
import type { HookDialect } from '../forge/hook.ts'
import { contextStart, tagStart } from '../forge/news.ts'
import { type Json, numberIn, recordIn, shaIn, textIn } from '../forge/payload.ts'
import type { Hint } from '../hosting/forge.ts'
import type { GitHubOptions } from '../hosting/options.ts'
import { testBranchPrefix } from '../hosting/testers.ts'
import { GitHubClient } from './client.ts'
import { findingsOf } from './doctor.ts'
import { GitHubApi } from './github-api.ts'

/** Where a webhook says to look. */
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

export const githubDialect: HookDialect = {
  unproven: 'the signature in X-Hub-Signature-256 is missing or not made with our secret',
  proofHeader: 'x-hub-signature-256',
  proof: /^sha256=[0-9a-f]{64}$/,
  isProven: (secret, proof, text) => verify(secret, text, proof),
  eventHeader: 'x-github-event',
  repository: ['repository', 'full_name'],
  about,
}

export const githubAdapter: Adapter<GitHubOptions> = {
  open: (options, logger, pace) => new GitHubApi(new GitHubClient(options, logger, pace)),
  dialect: githubDialect,
  ciPaths: ['.github/workflows/'],
  findings: (options, logger, asked) => findingsOf(options, logger, asked),
}
