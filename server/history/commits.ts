/**
 * The commits behind the numbers of the engine: which head a submission has, and which commit each tip
 * of the target branch is. They are told by commands and not derived, so a replay knows them too.
 */

import type { EngineCommand, Event, Millis } from '../../engine/index.ts'
import type { QueueHistory } from './records.ts'

/** Notes the card of a new submission, and the commits of tips that the command has moved. */
export function rememberCommits(
  history: QueueHistory,
  command: EngineCommand & { readonly at: Millis },
  events: readonly Event[],
): void {
  if (command.type === 'submitPullRequest' && command.card) {
    const { at, card, number } = command
    // A pull request that is in the queue keeps the card of its submission.
    const submitted = events.find((event) => event.type === 'pullRequestSubmitted')
    if (submitted) history.cards.set(submitted.submission, { ...card, number, at })
  }
  const commits = commitsIn(command)
  for (const event of events) {
    if (event.type !== 'tipMoved') continue
    const commit = commits.shift()
    if (commit !== undefined) history.tips.set(event.tip, commit)
  }
}

/** The commits that the command tells, in the order in which the tips move. */
function commitsIn(command: EngineCommand): string[] {
  if (command.type === 'finishMerge') return [...(command.commits ?? [])]
  if (command.type !== 'reportPush' && command.type !== 'reportManualMerge') return []
  return command.commit === undefined ? [] : [command.commit]
}

/**
 * Drops the cards of forgotten pull requests, and the tips before the oldest that anybody can still ask
 * for.
 */
export function dropCommits(history: QueueHistory): void {
  for (const [submission, { number }] of history.cards) {
    if (!history.pullRequests.has(number)) history.cards.delete(submission)
  }
  const oldest = Math.max(...history.tips.keys()) - keptTips
  for (const tip of history.tips.keys()) if (tip < oldest) history.tips.delete(tip)
}

/** More than the merges that can happen while a bisection or a run is pinned to a tip. */
const keptTips = 10_000
