/** What a queue on GitHub brings along. */

import { verify } from '@octokit/webhooks-methods'
import type { Logger } from 'pino'
import type { Adapter } from '../code-host/code-hosts.ts'
import type { HookDialect } from '../code-host/hook.ts'
import { isOwnStatus, tagStart } from '../code-host/report.ts'
import { type Json, numberIn, recordIn, shaIn, textIn } from '../code-host/rest.ts'
import type { HookNotification } from '../hosting/code-host.ts'
import type { GitHubOptions } from '../hosting/options.ts'
import { testBranchPrefix } from '../identity/ids.ts'
import { GitHubClient } from './client.ts'
import { githubApi } from './github-api.ts'
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
import { rulesOf, type GitHubRules, type OtherRule } from './rules.ts'

/** What a webhook says to poll. */
function about(event: string, root: Json): Partial<HookNotification> | null {
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
  if (event === 'status') return isOwnStatus(textIn(context))
  if (event === 'issue_comment') return textIn(recordIn(comment)['body']).startsWith(tagStart)
  const { ref } = recordIn(recordIn(pull)['head'])
  return event === 'pull_request' && textIn(ref).startsWith(testBranchPrefix)
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
  open: (options, logger, pace) => githubApi(new GitHubClient(options, logger, pace)),
  dialect: githubDialect,
  ciPaths: ['.github/workflows/'],
  findings: (options, logger, asked) => findingsOf(options, logger, asked),
}

// What a queue needs of GitHub, line by line: what is set, and what must be. Nothing is changed.

/** The findings in order. Rejects with `CodeHostFailed` if GitHub cannot be asked at all. */
export async function findingsOf(
  options: GitHubOptions,
  logger: Logger,
  asked: AskedOfCodeHost,
): Promise<Finding[]> {
  const client = new GitHubClient(options, logger)
  const auth = options.auth.kind
  const login = await client.login()
  const { data: repository } = await client.ask('GET /repos/{owner}/{repo}', {})
  const rules = await rulesOf(client, asked.branch)
  const who = `works as ${login}, ${client.remaining ?? 'unknown'} requests left in this hour`
  return [
    ok(auth === 'app' ? 'App' : 'token', who),
    permissionFinding(auth, repository.permissions?.push ?? false),
    ...mergeFindings(asked, rules, {
      squash: repository.allow_squash_merge ?? true,
      rebase: repository.allow_rebase_merge ?? true,
    }),
    ...checkFindings(asked, rules.checks),
    protectionFinding(rules),
    ...rules.others.flatMap((rule) => ruleFinding(rule, asked)),
    ...(asked.isCiTested ? [workflowFinding(asked, noneRuns(asked))] : []),
    webhookFinding(options.webhookSecrets.length > 0, '/hooks/github'),
  ]
}

function permissionFinding(auth: GitHubOptions['auth']['kind'], mayPush: boolean): Finding {
  // The answer says what a person may do; for an App it says nothing, and the push below does.
  if (auth === 'app' || mayPush) return ok('permission', 'may write to the repository')
  return fault(
    'permission',
    'may not write: the token needs Contents, Pull requests, Commit statuses, Issues and Workflows: write, and Actions: write to cancel',
  )
}

function mergeFindings(
  { method }: AskedOfCodeHost,
  { others }: GitHubRules,
  allowed: Readonly<Record<'squash' | 'rebase', boolean>>,
): Finding[] {
  const signed = others.includes('signatures')
    ? fault('signatures', 'the branch requires signed commits, and those of the queue are not')
    : ok('signatures', 'not required')
  if (method === 'merge_commit') {
    const words = 'merge_commit: the commit that was tested is pushed, in one push for a batch'
    const linear = 'the branch requires a linear history: set mergeMethod to squash or rebase'
    const isLinear = others.includes('linear history')
    return [isLinear ? fault('merge method', linear) : ok('merge method', words), signed]
  }
  const words = `${method}: GitHub makes the commits one by one, and their trees are compared with what was tested`
  const off = `${method} merges are switched off in the settings of the repository: allow them`
  return [allowed[method] ? ok('merge method', words) : fault('merge method', off), signed]
}

function protectionFinding(rules: GitHubRules): Finding {
  const words =
    'classic protection cannot be read: give Administration: read to an account that administers the repository, or use rulesets'
  return rules.isComplete ? ok('protection', protectionWords(rules)) : fault('protection', words)
}

/** What the queue does not check itself. */
const unkept: Partial<Readonly<Record<OtherRule, string>>> = {
  'last push': 'an approval of the last push by somebody else',
  threads: 'that all conversations are resolved',
  reviewers: 'reviews by the required reviewers of a ruleset',
  deployments: 'deployments that succeed first',
  workflows: 'the required workflows of a ruleset',
  'code scanning': 'the results of code scanning',
}

/** The rules that the queue does not keep, and who keeps them. Signatures and history belong to the merge method. */
function ruleFinding(rule: OtherRule, { method, branch }: AskedOfCodeHost): Finding[] {
  const asks = unkept[rule]
  if (asks !== undefined) {
    const words =
      method === 'merge_commit'
        ? `${branch} asks for ${asks}: the queue does not check it, and pushes past the rule if its account may; with squash GitHub keeps it at the merge button`
        : `${branch} asks for ${asks}: GitHub keeps it at the merge button, unless the account of the queue may bypass the rule`
    return [note(rule, words)]
  }
  if (rule === 'code owners') {
    return [ok(rule, "their reviews count: the queue asks for GitHub's own verdict on the reviews")]
  }
  if (rule === 'merge queue') {
    return [fault(rule, `GitHub's own merge queue is on for ${branch}: switch it off`)]
  }
  if (rule === 'restricted pushes') {
    return [
      note(rule, `only some may push to ${branch}: the account of the queue must be one of them`),
    ]
  }
  return []
}

function protectionWords({ checks, reviews: { approvals } }: GitHubRules): string {
  if (checks.length === 0 && approvals === 0) {
    return 'none: anybody with write access can push past the queue'
  }
  const reviews = approvals === 0 ? 'no approval' : `${approvals} approvals`
  return `${reviews} needed, as GitHub counts them; the queue must be allowed to push past the rule for pull requests, if there is one`
}

const noneRuns = ({ ciFiles }: AskedOfCodeHost): string =>
  ciFiles.length === 0
    ? 'there is none: add one that runs on a push to mergeyard/**'
    : 'none runs on mergeyard/**: add it to `on: push: branches:`'
