/** What `mergeyard doctor` says about a code host, line by line: what is set, and what must be. */

import type { MergeMethod } from '../git/snapshot.ts'
import { noRight, type CodeHostApi, type SeenPull } from './api.ts'
import { secondOf } from './comment-commands.ts'
import { CodeHostFailed } from './rest.ts'
import { isOfSomebody } from './observed-pulls.ts'
import { tagStart } from './report.ts'
import type { RequiredCheck, Seen } from './verdict.ts'

export type Finding = {
  readonly what: string
  readonly isOk: boolean
  /** Good to know, but nothing is missing. */
  readonly isNote?: true
  /** What was found, or what to do. */
  readonly words: string
}

/** What the queue is set to. */
export type AskedOfCodeHost = {
  readonly branch: string
  readonly method: MergeMethod
  readonly requiredStatuses: readonly string[] | null
  /** True if the host's CI tests, false if the queue has a test command. */
  readonly isCiTested: boolean
  /** The texts of the files on the branch that configure the CI. */
  readonly ciFiles: readonly string[]
  readonly createsPulls: boolean
  /** The checks that another CI than that of the host wrote on the last commits of the branch. */
  readonly otherCi: readonly string[]
}

export const ok = (what: string, words: string): Finding => ({ what, isOk: true, words })
export const note = (what: string, words: string): Finding => {
  return { what, isOk: true, isNote: true, words }
}
export const fault = (what: string, words: string): Finding => ({ what, isOk: false, words })

/** Which checks decide, and that the branch requires no others. */
export function checkFindings(
  { branch, requiredStatuses, isCiTested }: AskedOfCodeHost,
  rules: readonly RequiredCheck[],
): Finding[] {
  const ofBranch = [...new Set(rules.map(({ name }) => name))]
  const required = requiredStatuses ?? ofBranch
  const from = requiredStatuses ? 'requiredStatuses of the queue' : `the rules of ${branch}`
  const missing = ofBranch.filter((name) => !required.includes(name) && !required.includes('*'))
  const more = `the branch also requires ${missing.join(', ')}, and would refuse the push: add them to requiredStatuses`
  return [
    required.length > 0
      ? ok(
          'required checks',
          `${required.map((name) => withApp(name, rules)).join(', ')}, from ${from}`,
        )
      : isCiTested
        ? fault('required checks', 'none: set requiredStatuses, or protect the branch with some')
        : ok('required checks', 'none; the test command of the queue decides'),
    ...(missing.length > 0 ? [fault('protection', more)] : []),
  ]
}

/**
 * Compares the required checks with those that the last commits of the branch had: one that was renamed would never
 * come.
 */
export async function seenFindings(
  api: Pick<CodeHostApi, 'rules'>,
  { branch, requiredStatuses }: AskedOfCodeHost,
  seen: readonly Seen[],
): Promise<Finding[]> {
  const ofBranch = requiredStatuses ?? (await api.rules(branch)).checks.map(({ name }) => name)
  const required = ofBranch.filter((name) => name !== '*')
  const there = [...new Set(seen.flatMap(({ checks }) => checks.map(({ name }) => name)))].sort()
  const absent = required.filter((name) => !there.includes(name))
  if (required.length === 0) return []
  const those = `the last ${seen.length === 1 ? 'commit' : `${seen.length} commits`} of ${branch}`
  if (there.length === 0) {
    return [note('seen checks', `no check was seen on ${those}: nothing to compare with`)]
  }
  if (absent.length === 0) return [ok('seen checks', `${those} had all that are required`)]
  const words = `${absent.join(', ')} did not appear on ${those}, which had ${there.join(', ')}: if a name is wrong, the queue pauses and says so`
  return [note('seen checks', words)]
}

/** As the Actions of Gitea and Forgejo name the statuses that they write. */
const ofActions = / \/ .* \((?:push|pull_request)\)$/

/** The names of checks that the host's own workflows have not written. */
export function otherCiIn(seen: readonly Seen[]): string[] {
  const names = seen.flatMap(({ checks }) =>
    checks.flatMap(({ name, isOfWorkflow }) => (isOfWorkflow || ofActions.test(name) ? [] : name)),
  )
  return [...new Set(names)].sort()
}

/** What is missing if no workflow runs on the test branches: nothing, if another CI tests them. */
export function noWorkflow(what: string, words: string, { otherCi }: AskedOfCodeHost): Finding {
  if (otherCi.length === 0) return fault(what, words)
  return note(what, `${words}, unless what writes ${otherCi.join(', ')} tests these branches`)
}

/** Read as text: a workflow that names our branches runs on them. `none`: what to do if none of them runs. */
export function workflowFinding(asked: AskedOfCodeHost, none: string): Finding {
  const { ciFiles, createsPulls } = asked
  if (ciFiles.some((text) => text.includes('mergeyard/'))) {
    return ok('workflows', 'one of them names mergeyard/**')
  }
  if (createsPulls && ciFiles.some((text) => /\bpull_request\b/.test(text))) {
    return ok('workflows', 'they run for the drafts that createPrsForTestingBranches opens')
  }
  return noWorkflow('workflows', none, asked)
}

/** A name, and the App from which the branch wants it. */
function withApp(name: string, rules: readonly RequiredCheck[]): string {
  const app = rules.find((rule) => rule.name === name && rule.app !== null)?.app
  return app === undefined ? name : `${name} of App ${app}`
}

export function webhookFinding(hasSecret: boolean, path: string): Finding {
  return hasSecret
    ? ok('webhooks', `those with the secret are accepted at ${path}`)
    : ok('webhooks', 'no secret is set: the server only polls, which is slower and enough')
}

/** What the queue asks its host, each as it will be asked. */
type Question = readonly [what: string, ask: () => Promise<unknown>]

/** A label that no repository has, so that its removal changes nothing. */
const noLabel = 'mergeyard doctor'

/**
 * Sends each request that the queue will need and that changes nothing, with its own words: a host can be too old for
 * one, and the credentials may allow less than the account.
 */
export async function requestFindings(
  api: CodeHostApi,
  { branch, isCiTested }: Pick<AskedOfCodeHost, 'branch' | 'isCiTested'>,
): Promise<Finding[]> {
  const pulls: SeenPull[] = []
  const ofBranch = async () =>
    (await api.openPulls()).filter((each) => each.base === branch && isOfSomebody(each))
  const [open, failed] = await answersTo([
    ['open pull requests', async () => void pulls.push(...(await ofBranch()))],
    ['comments', () => api.comments(secondOf(Date.now()))],
    ['who may write', () => rightOfSelf(api)],
  ])
  const pull = pulls.toSorted((a, b) => b.number - a.number)[0]
  const [about, failedAbout] = await answersTo(
    pull ? questionsAbout(api, pull, { branch, isCiTested }) : [],
  )
  const faults = [...failed, ...failedAbout]
  const answered = [...open, ...about]
  const none = `no pull request for ${branch} is open, so nothing was asked about one: open one, and ask again`
  return [
    ...(answered.length > 0 ? [ok('requests', `answered: ${answered.join(', ')}`)] : []),
    ...(pull ? [] : [note('requests', none)]),
    ...faults,
  ]
}

function questionsAbout(
  api: CodeHostApi,
  { number, head }: SeenPull,
  { branch, isCiTested }: Pick<AskedOfCodeHost, 'branch' | 'isCiTested'>,
): readonly Question[] {
  return [
    [`pull request ${number}`, () => api.pull(number)],
    ['what was done to it', () => api.activity(number)],
    ['its approval', async () => api.unapprovedFor(number, (await api.rules(branch)).reviews)],
    ['its comments', () => api.ownComment(number, tagStart)],
    ['the removal of a label', () => api.removeLabel(number, noLabel)],
    ...(isCiTested ? [['its results', () => api.checks(head, branch)] as const] : []),
  ]
}

/** Rejects if the host does not even know the account that asks: then it knows nobody's right. */
async function rightOfSelf(api: CodeHostApi): Promise<void> {
  const self = await api.self()
  if ((await api.rightOf(self)) !== noRight) return
  throw new CodeHostFailed(
    `${api.name} does not say what ${self.login} may do, so nobody can ask by a label or a comment`,
    404,
  )
}

/** Those that were answered, and a fault for each other one. */
async function answersTo(questions: readonly Question[]): Promise<[string[], Finding[]]> {
  const answered: string[] = []
  const faults: Finding[] = []
  for (const [what, ask] of questions) {
    try {
      await ask()
      answered.push(what)
    } catch (error) {
      if (!(error instanceof CodeHostFailed)) throw error
      faults.push(fault(`requests: ${what}`, error.message.split('\n').join(' ')))
    }
  }
  return [answered, faults]
}
