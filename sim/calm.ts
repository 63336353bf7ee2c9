/** What it takes for everybody to be able to end, once the storm is over. */

import { isTerminal, type CommandBody, type QueueView } from '../engine/index.ts'

/**
 * The queue is set RUNNING; and who is not ready because of what others failed to say is made so:
 * the code host does not object any more, and unknown impacted targets are ALL.
 */
export function calmingCommands(queue: QueueView): CommandBody[] {
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
