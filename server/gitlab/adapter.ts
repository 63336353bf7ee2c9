/** What a queue on GitLab brings along. */

import { timingSafeEqual } from 'node:crypto'
import type { Adapter } from '../forge/forges.ts'
import type { HookDialect, NamedHint } from '../forge/hook.ts'
import { tagStart } from '../forge/news.ts'
import { type Json, recordIn, shaIn, textIn } from '../forge/payload.ts'
import type { Hint } from '../hosting/forge.ts'
import type { ForgeOptions, GitLabOptions } from '../hosting/options.ts'
import { findingsOf } from './doctor.ts'
import { GitLabApi, gitlabClient } from './gitlab-api.ts'

/** How GitLab proves its webhooks: it sends the secret itself. */
// Where a webhook of GitLab says to look. Nothing else is read of it: the API says what is true.

/** Null: it is about nothing that a queue looks at. */
function hintOf(event: string, payload: unknown): NamedHint | null {
  const root = recordIn(payload)
  const repository = textIn(recordIn(root['project'])['path_with_namespace'])
  if (repository === '') return null
  const found = about(event, root)
  return found && { repository, pulls: [], commits: [], hasComment: false, ...found }
}

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

const header = 'x-gitlab-token'

const gitlabDialect: HookDialect = {
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

export const gitlabAdapter: Adapter = {
  open: (options) => new GitLabApi(gitlabClient(gitlabIn(options))),
  dialect: gitlabDialect,
  ciPaths: ['.gitlab-ci.yml'],
  findings: (options, _, asked) => findingsOf(gitlabIn(options), asked),
}

function gitlabIn(options: ForgeOptions): GitLabOptions {
  if (options.kind === 'gitlab') return options
  throw new Error(`${options.kind} is another kind of host`)
}
