/** Engine parts that handle a command wrongly. */

import { engineParts, type EngineParts } from '../../../engine/index.ts'

/** A cancelled pull request leaves, but the groups tested on top of it do not restart. */
export const cancelWithoutRestarts: EngineParts['decide'] = (step, command) => {
  if (command.type !== 'cancelPullRequest') return engineParts.decide(step, command)
  const { number, reason } = command
  const pullRequest = step.queue.pullRequests[number]
  if (!pullRequest) return { code: 'not in queue', number }
  const { state: from, home } = pullRequest
  const testRun = null
  step.emit({ type: 'pullRequestMoved', number, from, to: 'CANCELLED', reason, testRun })
  const group = home.in === 'group' ? step.queue.groups[home.group] : undefined
  if (group?.members.length !== 0) return null
  if (group.phase.kind === 'testing') {
    const cause = 'PREREQUISITE_MERGE_ITEM_CANCELLED'
    step.emit({ type: 'testRunCancelled', testRun: group.phase.run.id, cause })
  }
  step.emit({ type: 'groupLeft', group: group.id })
  return null
}
