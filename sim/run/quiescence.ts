/** The commands of the quiet phase, with which every pull request can reach a terminal state. */

import { isTerminal, type CommandBody, type QueueView } from '../../engine/index.ts'

/**
 * Returns the commands that set the queue RUNNING and make every pull request ready: the code host
 * does not object any more, and unknown impacted targets are ALL.
 */
export function quiescenceCommands(queue: QueueView): CommandBody[] {
  const commands: CommandBody[] = []
  if (queue.state === 'PAUSED' || queue.state === 'DRAINING') {
    commands.push({ type: 'updateQueue', set: { state: 'RUNNING' } })
  }
  for (const { number, state } of Object.values(queue.pullRequests)) {
    if (isTerminal(state)) continue
    if (queue.hostFacts[number]?.mergeable === false) {
      commands.push({ type: 'reportPullRequest', number, mergeable: true })
    }
    const needsTargets = queue.configuration.mode === 'parallel'
    if (needsTargets && !(number in queue.impactedTargets)) {
      commands.push({ type: 'setImpactedTargets', number, targets: 'ALL' })
    }
  }
  return commands
}
