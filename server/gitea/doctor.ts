/** What a queue needs of Gitea or Forgejo, line by line: what is set, and what must be. Nothing is changed. */

import type { Repository } from 'gitea-js'
import {
  checkFindings,
  fault,
  note,
  noWorkflow,
  ok,
  webhookFinding,
  type AskedOfForge,
  type Finding,
} from '../forge/finding.ts'
import type { GiteaOptions } from '../hosting/options.ts'
import { giteaClient } from './gitea-api.ts'
import { rulesOf, type GiteaRules } from './rules.ts'

/** The findings in order. Rejects with `ForgeFailed` if the host cannot be asked at all. */
export async function findingsOf(options: GiteaOptions, asked: AskedOfForge): Promise<Finding[]> {
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
    ...(asked.isCiTested ? [ciFinding(asked)] : []),
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
            'Gitea refuses a push that changes one of them, and the queue pauses',
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
function mergeFinding(repository: Repository, { method }: AskedOfForge): Finding {
  const words = `${method}: what was tested is pushed, in one push for a batch, and marked as merged`
  const isAllowed = 'allow_manual_merge' in repository ? repository.allow_manual_merge : null
  const setting = '"Mark pull request as manually merged" in the settings of the repository'
  if (isAllowed === null)
    return ok('merge method', `${words}; if it does not show, allow ${setting}`)
  return isAllowed ? ok('merge method', words) : fault('merge method', `allow ${setting}`)
}

/** Read as text: a workflow that names our branches runs on them. */
function ciFinding(asked: AskedOfForge): Finding {
  const { ciFiles, createsPulls } = asked
  if (ciFiles.some((text) => text.includes('mergeyard/'))) {
    return ok('workflows', 'one of them names mergeyard/**')
  }
  if (createsPulls && ciFiles.some((text) => /\bpull_request\b/.test(text))) {
    return ok('workflows', 'they run for the drafts that createPrsForTestingBranches opens')
  }
  const words =
    'none runs on mergeyard/**: add it to `on: push: branches:`, or let another CI write statuses there'
  return noWorkflow('workflows', words, asked)
}
