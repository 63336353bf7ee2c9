/** What a scenario's people and code host do, as commands for the engine. */

import { urgentPriority, type CancelReason, type CommandBody } from '../engine/index.ts'
import type { Priority, PullRequestEntry, ScenarioEvent } from './scenario/scenario.ts'

/** The values behind the names, as on the wire. */
const priorityValues = { urgent: urgentPriority, high: 10, medium: 100, low: 200 } as const

const cancelReasons = {
  cancel: 'USER_REQUESTED',
  push: 'PR_PUSHED_TO',
  close: 'PR_CLOSED',
  convertToDraft: 'PR_CONVERTED_TO_DRAFT',
  changeBase: 'PR_BASE_BRANCH_CHANGED',
} as const satisfies Record<string, CancelReason>

/** A first submission: what the code host and the build know, then the submission itself. */
export function submission(entry: PullRequestEntry): CommandBody[] {
  return [...knownOf(entry), submit(entry)]
}

/** What the code host and the build know of a pull request. */
export function knownOf(entry: PullRequestEntry): CommandBody[] {
  const { number, targets, greenOnTip, conflictsWith = [] } = entry
  const commands: CommandBody[] = []
  if (conflictsWith.length > 0 || greenOnTip) {
    commands.push({
      type: 'reportPullRequest',
      number,
      ...(greenOnTip ? { greenOnTip } : {}),
      ...(conflictsWith.length > 0 ? { conflictsWith } : {}),
    })
  }
  if (targets !== undefined) commands.push({ type: 'setImpactedTargets', number, targets })
  return commands
}

type Wishes = {
  readonly number: number
  readonly priority?: Priority
  readonly noBatch?: boolean
}

function submit({ number, priority, noBatch }: Wishes): CommandBody {
  return {
    type: 'submitPullRequest',
    number,
    ...(priority === undefined ? {} : { priority: valueOf(priority) }),
    ...(noBatch === undefined ? {} : { noBatch }),
  }
}

const valueOf = (priority: Priority): number =>
  typeof priority === 'number' ? priority : priorityValues[priority]

export function commandOf(event: ScenarioEvent): CommandBody {
  switch (event.do) {
    case 'submit':
      return submit(event)
    case 'restart':
      return { type: 'restartTests', number: event.number }
    case 'manualMerge':
      return { type: 'reportManualMerge', number: event.number }
    case 'setImpactedTargets':
      return { type: 'setImpactedTargets', number: event.number, targets: event.targets }
    case 'setMergeable':
      return { type: 'reportPullRequest', number: event.number, mergeable: event.mergeable }
    case 'pushToBranch':
      return { type: 'reportPush' }
    case 'updateQueue':
      return { type: 'updateQueue', set: event.set }
    case 'cancel':
    case 'push':
    case 'close':
    case 'convertToDraft':
    case 'changeBase':
      return { type: 'cancelPullRequest', number: event.number, reason: cancelReasons[event.do] }
  }
}
