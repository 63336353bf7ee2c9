/** What a queue needs of GitHub, line by line: what is set, and what must be. Nothing is changed. */

import type { MergeMethod } from '../git/card.ts'
import type { GitHubOptions } from '../hosting/options.ts'
import type { GitHubClient } from './client.ts'
import { rulesOf, type Rules } from './rules.ts'

export type Finding = {
  readonly what: string
  readonly isOk: boolean
  /** What was found, or what to do. */
  readonly words: string
}

type Asked = {
  readonly branch: string
  readonly method: MergeMethod
  readonly auth: GitHubOptions['auth']['kind']
  readonly requiredStatuses: readonly string[] | null
  readonly hasWebhookSecret: boolean
  /** True if the workflows of the repository test, false if the queue has a test command. */
  readonly areWorkflowsTested: boolean
  /** The texts of the workflow files on the branch. */
  readonly workflows: readonly string[]
  readonly createsPulls: boolean
}

/** The findings in order. Rejects with `GitHubFailed` if GitHub cannot be asked at all. */
export async function findingsOf(client: GitHubClient, asked: Asked): Promise<Finding[]> {
  const octokit = await client.octokit()
  const login = await client.login()
  const { data: repository } = await octokit.request('GET /repos/{owner}/{repo}', client.at)
  const rules = await rulesOf(client, asked.branch)
  const who = `works as ${login}, ${client.remaining ?? 'unknown'} requests left in this hour`
  return [
    ok(asked.auth === 'app' ? 'App' : 'token', who),
    permissionFinding(asked, repository.permissions?.push ?? false),
    ...mergeFindings(asked, rules, {
      squash: repository.allow_squash_merge ?? true,
      rebase: repository.allow_rebase_merge ?? true,
    }),
    ...ruleFindings(asked, rules),
    ...(asked.areWorkflowsTested ? [workflowFinding(asked)] : []),
    webhookFinding(asked),
  ]
}

const ok = (what: string, words: string): Finding => ({ what, isOk: true, words })
const fault = (what: string, words: string): Finding => ({ what, isOk: false, words })

function permissionFinding({ auth }: Asked, mayPush: boolean): Finding {
  // The answer says what a person may do; for an App it says nothing, and the push below does.
  if (auth === 'app' || mayPush) return ok('permission', 'may write to the repository')
  return fault(
    'permission',
    'may not write: the token needs Contents, Pull requests, Commit statuses, Issues and Workflows: write, and Actions: write to cancel',
  )
}

function mergeFindings(
  { method }: Asked,
  { needsLinearHistory, needsSignatures }: Rules,
  allowed: Readonly<Record<'squash' | 'rebase', boolean>>,
): Finding[] {
  const signed = needsSignatures
    ? fault('signatures', 'the branch requires signed commits, and those of the queue are not')
    : ok('signatures', 'not required')
  if (method === 'merge_commit') {
    const words = 'merge_commit: the commit that was tested is pushed, in one push for a batch'
    const linear = 'the branch requires a linear history: set mergeMethod to squash or rebase'
    return [needsLinearHistory ? fault('merge method', linear) : ok('merge method', words), signed]
  }
  const words = `${method}: GitHub makes the commits one by one, and their trees are compared with what was tested`
  const off = `${method} merges are switched off in the settings of the repository: allow them`
  return [allowed[method] ? ok('merge method', words) : fault('merge method', off), signed]
}

function ruleFindings({ branch, requiredStatuses, areWorkflowsTested }: Asked, rules: Rules) {
  const required = requiredStatuses ?? rules.checks
  const from = requiredStatuses ? 'requiredStatuses of the queue' : `the rules of ${branch}`
  const none =
    'none: set requiredStatuses of the queue, or require status checks in a ruleset of the branch'
  const checks =
    required.length > 0
      ? ok('required checks', `${required.join(', ')}, from ${from}`)
      : areWorkflowsTested
        ? fault('required checks', none)
        : ok('required checks', 'none; the test command of the queue decides')
  const missing = rules.checks.filter((name) => !required.includes(name) && !required.includes('*'))
  const more = `the branch also requires ${missing.join(', ')}, and would refuse the push: add them to requiredStatuses`
  const classic = rules.isComplete
    ? ok('protection', protectionWords(rules))
    : fault(
        'protection',
        'classic protection cannot be read: give Administration: read, or use rulesets',
      )
  return [checks, ...(missing.length > 0 ? [fault('protection', more)] : []), classic]
}

function protectionWords({ checks, approvals }: Rules): string {
  if (checks.length === 0 && approvals === 0) {
    return 'none: anybody with write access can push past the queue'
  }
  const reviews = approvals === 0 ? 'no approval' : `${approvals} approvals`
  return `${reviews} needed; the queue must be allowed to push past the rule for pull requests, if there is one`
}

/** Read as text: a workflow that names our branches runs on them. */
function workflowFinding({ workflows, createsPulls }: Asked): Finding {
  if (workflows.some((text) => text.includes('mergeyard/'))) {
    return ok('workflows', 'one of them names mergeyard/**')
  }
  if (createsPulls && workflows.some((text) => /\bpull_request\b/.test(text))) {
    return ok('workflows', 'they run for the drafts that createPrsForTestingBranches opens')
  }
  if (workflows.length === 0) {
    return fault('workflows', 'there is none: add one that runs on a push to mergeyard/**')
  }
  return fault('workflows', 'none runs on mergeyard/**: add it to `on: push: branches:`')
}

function webhookFinding({ hasWebhookSecret }: Asked): Finding {
  return hasWebhookSecret
    ? ok('webhooks', 'signed ones are accepted at /hooks/github')
    : ok('webhooks', 'no secret is set: the server only polls, which is slower and enough')
}
