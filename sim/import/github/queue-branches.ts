/** The branches on which merge queues test. */

import type { WorkflowRun } from './records.ts'

export type QueueBranch = {
  /** The pull requests that the test decides about. */
  readonly numbers: readonly number[]
  /** The commit below; null if the branch does not tell. */
  readonly base: string | null
}

/** GitHub, Trunk and Mergeyard name the pull request. */
const named = [
  /^gh-readonly-queue\/.+\/pr-(?<number>\d+)-(?<base>[0-9a-f]{7,64})$/,
  /^trunk-(?:merge|temp)\/pr-(?<number>\d+)\//,
  /^mergeyard\/.+\/pr-(?<number>\d+)\//,
]

/** bors-ng, bors and homu, and Mergify name them in the message of the commit. */
const staging = /^(?:staging|auto|mergify\/merge-queue\/.+)$/
const messages = /^(?:Merge|Auto merge of|Merge of)((?:,? (?:and )?#\d{1,9})+)/

/** The queue's branch on which a run tested; null for a run that is not of a queue. */
export function queueBranchOf(run: WorkflowRun): QueueBranch | null {
  const branch = run.head_branch ?? ''
  for (const pattern of named) {
    const found = pattern.exec(branch)?.groups
    if (found) return { numbers: [Number(found['number'])], base: found['base'] ?? null }
  }
  const [, list = ''] = staging.test(branch)
    ? (messages.exec(run.head_commit?.message ?? '') ?? [])
    : []
  const numbers = [...list.matchAll(/#(\d+)/g)].map(([, number]) => Number(number))
  return numbers.length > 0 ? { numbers, base: null } : null
}
