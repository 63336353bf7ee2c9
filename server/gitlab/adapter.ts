/** What a queue on GitLab brings along. */

import { timingSafeEqual } from 'node:crypto'
import type { Adapter } from '../code-host/code-hosts.ts'
import type { HookDialect } from '../code-host/hook.ts'
import { tagStart } from '../code-host/report.ts'
import {
  type Json,
  numberIn,
  recordIn,
  shaIn,
  textIn,
  isMissing,
  orElse,
} from '../code-host/rest.ts'
import type { HookNotification } from '../hosting/code-host.ts'
import type { GitLabOptions } from '../hosting/options.ts'
import { developer, gitlabApi, gitlabClient } from './gitlab-api.ts'
import {
  fault,
  note,
  noWorkflow,
  ok,
  webhookFinding,
  type AskedOfCodeHost,
  type Finding,
} from '../code-host/finding.ts'
import type { Branch, Project } from './shapes.ts'

/** What a webhook says to poll. */
function about(event: string, root: Json): Partial<HookNotification> | null {
  const attributes = recordIn(root['object_attributes'])
  switch (event) {
    case 'Merge Request Hook':
      return { pulls: numberIn(attributes, 'iid') }
    case 'Note Hook': {
      // What this server has written itself comes back, and is nothing new.
      if (textIn(attributes['note']).startsWith(tagStart)) return null
      const isOnMergeRequest = attributes['noteable_type'] === 'MergeRequest'
      return isOnMergeRequest
        ? { hasComment: true, pulls: numberIn(root['merge_request'], 'iid') }
        : null
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
  open: (options) => gitlabApi(gitlabClient(options)),
  dialect: gitlabDialect,
  ciPaths: ['.gitlab-ci.yml'],
  findings: (options, _, asked) => findingsOf(options, asked),
}

// What a queue needs of GitLab, line by line: what is set, and what must be. Nothing is changed.

const maintainer = 40

/** The findings in order. Rejects with `CodeHostFailed` if the host cannot be asked at all. */
export async function findingsOf(
  options: GitLabOptions,
  asked: AskedOfCodeHost,
): Promise<Finding[]> {
  const client = gitlabClient(options)
  const login = await client.login()
  const project = await client.get<Project>('')
  // Null: there is no such branch, which the check of the repository says.
  const branch = await client
    .get<Branch>(`/repository/branches/${encodeURIComponent(asked.branch)}`)
    .catch(orElse(isMissing, null))
  return [
    ok('token', `works as ${login}`),
    permissionFinding(project),
    ...pushFinding(branch, asked),
    mergeFinding(project, asked),
    checkFinding(asked),
    ...ruleFindings(project, asked),
    ...(asked.isCiTested ? [ciFinding(asked)] : []),
    webhookFinding(options.webhookSecrets.length > 0, '/hooks/gitlab'),
  ]
}

function permissionFinding({ permissions }: Project): Finding {
  const levels = [permissions?.project_access, permissions?.group_access]
  const level = Math.max(0, ...levels.map((access) => access?.access_level ?? 0))
  if (level >= maintainer) return ok('permission', 'Maintainer: may push to a protected branch')
  if (level >= developer) {
    const words = 'Developer: a protected branch must let this account push and merge'
    return ok('permission', words)
  }
  return fault('permission', 'may not push: the account must be Maintainer, or Developer')
}

function pushFinding(found: Branch | null, { branch, method }: AskedOfCodeHost): Finding[] {
  if (found?.can_push === undefined || method !== 'merge_commit') return []
  const words = `the account may not push to ${branch}: allow it in the settings of protected branches`
  return [
    found.can_push
      ? ok('push to the branch', `the account may push to ${branch}`)
      : fault('push to the branch', words),
  ]
}

/** What GitLab asks for at its merge button, and a push goes past. */
function ruleFindings(project: Project, { method }: AskedOfCodeHost): Finding[] {
  const isPushed = method === 'merge_commit'
  const who = isPushed
    ? 'the queue does not check it, and a push goes past it'
    : 'GitLab keeps it at the merge button'
  const rule = (isAsked: boolean, what: string, words: string): Finding[] =>
    isAsked ? [note(what, `the project asks for ${words}: ${who}`)] : []
  const needsThreads = project.only_allow_merge_if_all_discussions_are_resolved === true
  const needsPipeline = isPushed && project.only_allow_merge_if_pipeline_succeeds === true
  const isRebased = project.merge_method === 'ff' || project.merge_method === 'rebase_merge'
  return [
    ...rule(needsThreads, 'threads', 'that all threads are resolved'),
    ...rule(needsPipeline, 'pipelines', 'a pipeline of the merge request that passed'),
    ...rule(isRebased, 'linear history', 'merge requests that are rebased onto the branch'),
  ]
}

function mergeFinding(project: Project, { method }: AskedOfCodeHost): Finding {
  const { squash_option: squash = '', only_allow_merge_if_pipeline_succeeds: mustPass } = project
  if (method === 'merge_commit') {
    return ok(
      'merge method',
      'merge_commit: the commit that was tested is pushed, in one push for a batch',
    )
  }
  if (method === 'rebase') {
    const words =
      'GitLab rebases by a setting of the project only: set mergeMethod to merge_commit or squash'
    return fault('merge method', words)
  }
  if (squash === 'never')
    return fault('merge method', 'squash: allow it in the settings of the project')
  const blocks =
    mustPass === true
      ? '; "Pipelines must succeed" is on, so each merge request needs a pipeline of its own that passed'
      : ''
  return ok(
    'merge method',
    `squash: GitLab makes the commits one by one, and their trees are compared${blocks}`,
  )
}

function checkFinding({ requiredStatuses, isCiTested }: AskedOfCodeHost): Finding {
  if (requiredStatuses) return ok('required checks', `the jobs ${requiredStatuses.join(', ')}`)
  const words = isCiTested
    ? 'every pipeline of the test branch'
    : 'none; the test command of the queue decides'
  return ok('required checks', words)
}

/** Without a file there may be a pipeline too, for example by Auto DevOps. */
function ciFinding(asked: AskedOfCodeHost): Finding {
  if (asked.ciFiles.length > 0)
    return ok('pipelines', 'there is a .gitlab-ci.yml; it must run for branches')
  return noWorkflow(
    'pipelines',
    'there is no .gitlab-ci.yml: add one that runs for the branches mergeyard/*',
    asked,
  )
}
