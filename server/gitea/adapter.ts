/** What a queue on Gitea or Forgejo brings along. */

import { verify } from '@octokit/webhooks-methods'
import type { Repository } from 'gitea-js'
import type { Adapter } from '../code-host/code-hosts.ts'
import type { HookDialect } from '../code-host/hook.ts'
import { isOwnStatus, tagStart } from '../code-host/report.ts'
import { type Json, numberIn, recordIn, shaIn, textIn } from '../code-host/rest.ts'
import type { HookNotification } from '../hosting/code-host.ts'
import type { GiteaOptions } from '../hosting/options.ts'
import { giteaApi, giteaClient, rulesOf, type GiteaRules } from './gitea-api.ts'
import {
  checkFindings,
  fault,
  note,
  ok,
  webhookFinding,
  workflowFinding,
  type AskedOfCodeHost,
  type Finding,
} from '../code-host/finding.ts'

/** What a webhook says to poll. */
function about(event: string, root: Json): Partial<HookNotification> | null {
  const { pull_request: pull, issue, sha, action, comment, context } = root
  // What this server has written itself comes back, and is nothing new.
  if (event === 'status' && isOwnStatus(textIn(context))) return null
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
  open: (options) => giteaApi(giteaClient(options)),
  dialect: giteaDialect,
  ciPaths: ['.gitea/workflows/', '.forgejo/workflows/', '.github/workflows/', '.woodpecker'],
  findings: (options, _, asked) => findingsOf(options, asked),
}

// What a queue needs of Gitea or Forgejo, line by line: what is set, and what must be. Nothing is changed.

/** The findings in order. Rejects with `CodeHostFailed` if the host cannot be asked at all. */
export async function findingsOf(
  options: GiteaOptions,
  asked: AskedOfCodeHost,
): Promise<Finding[]> {
  const client = giteaClient(options)
  const login = await client.login()
  const repository = await client.get<Repository>('')
  const rules = await rulesOf(client, asked.branch)
  return [
    ok('token', `works as ${login}`),
    permissionFinding(repository),
    mergeFinding(repository, asked),
    ...checkFindings(asked, rules.checks),
    ...protectionFindings(rules, { branch: asked.branch, login }),
    ...(asked.isCiTested ? [workflowFinding(asked, noneRuns)] : []),
    webhookFinding(options.webhookSecrets.length > 0, '/hooks/gitea'),
  ]
}

function permissionFinding({ permissions }: Repository): Finding {
  if (permissions?.admin) return ok('permission', 'administers the repository')
  const words =
    'cannot ask who may write, so nobody can command by comments: make the account an administrator of the repository'
  return fault('permission', permissions?.push ? words : 'may not write to the repository')
}

/** Who may push, what is asked of reviews, and the rules that the queue cannot keep. */
function protectionFindings(
  { branch, protection, reviews, checks }: GiteaRules,
  asked: { readonly branch: string; readonly login: string },
): Finding[] {
  const denied = `${asked.login} may not push to ${asked.branch}: let it push in the protection of the branch`
  const patterns = checks.map(({ name }) => name).filter((name) => /[*?[\]{}]/.test(name))
  const isHidden = branch.protected === true && protection === null
  return [
    branch.user_can_push === false
      ? fault('push to the branch', denied)
      : ok('push to the branch', `${asked.login} may push to ${asked.branch}`),
    ok('protection', `${wordsOf(reviews)} needed; only official reviews count`),
    ...(isHidden
      ? [note('protection', 'only administrators see all of it: a rejection counts as an obstacle')]
      : []),
    ...(protection?.require_signed_commits
      ? [fault('signatures', 'the branch requires signed commits, and those of the queue are not')]
      : []),
    ...((protection?.protected_file_patterns ?? '') === ''
      ? []
      : [
          note(
            'protected files',
            'Gitea refuses a push that changes one of them, and that pull request fails',
          ),
        ]),
    ...(patterns.length > 0
      ? [fault('required checks', `${patterns.join(', ')}: no pattern here: set requiredStatuses`)]
      : []),
  ]
}

function wordsOf({ approvals, ...rules }: GiteaRules['reviews']): string {
  const more = [
    rules.isStaleIgnored ? 'of the head' : [],
    rules.isBlockedByRejection ? 'without a rejection' : [],
    rules.isBlockedByRequest ? 'without a request that is open' : [],
  ].flat()
  const count = approvals === 0 ? 'no approval' : `${approvals} approvals`
  return more.length === 0 ? count : `${count} (${more.join(', ')})`
}

/** Forgejo does not tell whether it is allowed. */
function mergeFinding(repository: Repository, { method }: AskedOfCodeHost): Finding {
  const words = `${method}: what was tested is pushed, in one push for a batch, and marked as merged`
  const isAllowed = 'allow_manual_merge' in repository ? repository.allow_manual_merge : null
  const setting = '"Mark pull request as manually merged" in the settings of the repository'
  if (isAllowed === null)
    return ok('merge method', `${words}; if it does not show, allow ${setting}`)
  return isAllowed ? ok('merge method', words) : fault('merge method', `allow ${setting}`)
}

const noneRuns =
  'none runs on mergeyard/**: add it to `on: push: branches:`, or let another CI write statuses there'
