/** Engine parts that handle a command wrongly. */

import {
  engineParts,
  type EngineParts,
  type RestartReason,
  type Step,
} from '../../../engine/index.ts'

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

/** A push to the branch is recorded, but no group restarts. */
export const pushWithoutRestarts: EngineParts['decide'] = (step, command) => {
  if (command.type !== 'reportPush') return engineParts.decide(step, command)
  const tip = step.queue.tip.number + 1
  step.emit({ type: 'tipMoved', tip, number: null, composition: `push ${tip}` })
  return null
}

/** A requested restart restarts the whole line. */
export const restartTakesOthersAlong: EngineParts['decide'] = (step, command) => {
  const rejection = engineParts.decide(step, command)
  if (command.type === 'restartTests' && rejection === null) {
    restartTheLine(step, 'TESTS_RESTARTED_BY_API_REQUEST')
  }
  return rejection
}

/** Every submission restarts all groups that are being tested. */
export const submissionsRestartTheLine: EngineParts['decide'] = (step, command) => {
  if (command.type === 'submitPullRequest') restartTheLine(step, 'SKIP_THE_LINE_INTERRUPTED')
  return engineParts.decide(step, command)
}

function restartTheLine(step: Step, reason: RestartReason): void {
  for (const id of [...step.queue.line]) {
    const group = step.queue.groups[id]
    if (group?.phase.kind !== 'testing') continue
    step.emit({ type: 'testRunCancelled', testRun: group.phase.run.id, cause: reason })
    step.emit({ type: 'groupRestarted', group: id, reason, retry: null })
    for (const number of [...group.members]) {
      const move = { type: 'pullRequestMoved', number, reason, testRun: null } as const
      step.emit({ ...move, from: 'TESTING', to: 'PENDING' })
    }
  }
}
