/** What `mergeyard doctor` says about a code host, line by line: what is set, and what must be. */

import type { MergeMethod } from '../git/card.ts'
import type { RequiredCheck } from './verdict.ts'

export type Finding = {
  readonly what: string
  readonly isOk: boolean
  /** Good to know, but nothing is missing. */
  readonly isNote?: true
  /** What was found, or what to do. */
  readonly words: string
}

/** What the queue is set to. */
export type AskedOfForge = {
  readonly branch: string
  readonly method: MergeMethod
  readonly requiredStatuses: readonly string[] | null
  /** True if the host's CI tests, false if the queue has a test command. */
  readonly isCiTested: boolean
  /** The texts of the files on the branch that configure the CI. */
  readonly ciFiles: readonly string[]
  readonly createsPulls: boolean
}

export const ok = (what: string, words: string): Finding => ({ what, isOk: true, words })
export const note = (what: string, words: string): Finding => {
  return { what, isOk: true, isNote: true, words }
}
export const fault = (what: string, words: string): Finding => ({ what, isOk: false, words })

/** Which checks decide, and that the branch requires no others. */
export function checkFindings(
  { branch, requiredStatuses, isCiTested }: AskedOfForge,
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
