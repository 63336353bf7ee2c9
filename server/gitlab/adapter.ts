/** What a queue on GitLab brings along. */

import { timingSafeEqual } from 'node:crypto'
import type { Adapter } from '../forge/forges.ts'
import type { HookDialect } from '../forge/hook.ts'
import { tagStart } from '../forge/news.ts'
import { type Json, recordIn, shaIn, textIn } from '../forge/payload.ts'
import type { Hint } from '../hosting/forge.ts'
import type { GitLabOptions } from '../hosting/options.ts'
import { findingsOf } from './doctor.ts'
import { GitLabApi, gitlabClient } from './gitlab-api.ts'

/** Where a webhook says to look. */
function about(event: string, root: Json): Partial<Hint> | null {
  const attributes = recordIn(root['object_attributes'])
  switch (event) {
    case 'Merge Request Hook':
      return { pulls: iidIn(attributes) }
    case 'Note Hook': {
      // What this server has written itself comes back, and is nothing new.
      if (textIn(attributes['note']).startsWith(tagStart)) return null
      const isOnMergeRequest = attributes['noteable_type'] === 'MergeRequest'
      return isOnMergeRequest ? { hasComment: true, pulls: iidIn(root['merge_request']) } : null
    }
    case 'Pipeline Hook':
      return { commits: shaIn(attributes['sha']) }
    case 'Job Hook':
      return { commits: shaIn(root['sha']) }
    case 'Push Hook':
      return {}
    default:
      return null
  }
}

function iidIn(value: unknown): number[] {
  const { iid } = recordIn(value)
  return typeof iid === 'number' ? [iid] : []
}

const gitlabDialect: HookDialect = {
  unproven: 'the token in X-Gitlab-Token is missing or not our secret',
  proofHeader: 'x-gitlab-token',
  proof: /./,
  isProven: isSame,
  eventHeader: 'x-gitlab-event',
  repository: ['project', 'path_with_namespace'],
  about,
}

/** In a time that tells nothing about the secret but its length. */
function isSame(secret: string, token: string): boolean {
  const [ours, theirs] = [Buffer.from(secret), Buffer.from(token)]
  return ours.length === theirs.length && timingSafeEqual(ours, theirs)
}

export const gitlabAdapter: Adapter<GitLabOptions> = {
  open: (options) => new GitLabApi(gitlabClient(options)),
  dialect: gitlabDialect,
  ciPaths: ['.gitlab-ci.yml'],
  findings: (options, _, asked) => findingsOf(options, asked),
}
