/** Commands taken wrongly. */

import { parts, type Parts, type RestartReason, type Step } from '../../../engine/index.ts'

/** A cancelled pull request leaves, and whoever was tested with it goes on as if nothing were. */
export const cancelWithoutRestarts: Parts['decide'] = (step, command) => {
  if (command.type !== 'cancelPullRequest') return parts.decide(step, command)
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

/** A push to the branch is noted, and nobody restarts. */
export const pushWithoutRestarts: Parts['decide'] = (step, command) => {
  if (command.type !== 'reportPush') return parts.decide(step, command)
  const tip = step.queue.tip.number + 1
  step.emit({ type: 'tipMoved', tip, number: null, composition: `push ${tip}` })
  return null
}

/** Whoever is asked to restart takes everybody else along. */
export const restartTakesOthersAlong: Parts['decide'] = (step, command) => {
  const rejection = parts.decide(step, command)
  if (command.type === 'restartTests' && rejection === null) {
    restartTheLine(step, 'TESTS_RESTARTED_BY_API_REQUEST')
  }
  return rejection
}

/** Every submission restarts whoever is under test. */
export const submissionsRestartTheLine: Parts['decide'] = (step, command) => {
  if (command.type === 'submitPullRequest') restartTheLine(step, 'SKIP_THE_LINE_INTERRUPTED')
  return parts.decide(step, command)
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
