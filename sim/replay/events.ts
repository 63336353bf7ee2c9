/** Recorded commands as events of a scenario. */

import type { Command, SubmitPullRequest } from '../../engine/index.ts'
import type { ScenarioEvent } from '../scenario/scenario.ts'
import { toMinutes } from '../scenario/time.ts'
import { commandSet } from './settings.ts'
import type { Submission, HistoryCommand } from './recorded-history.ts'

/** Returns the number of a submission in the scenario. */
export type Numbering = (submission: Submission) => number

const cancels = {
  USER_REQUESTED: 'cancel',
  PR_PUSHED_TO: 'push',
  PR_CLOSED: 'close',
  PR_CONVERTED_TO_DRAFT: 'convertToDraft',
  PR_BASE_BRANCH_CHANGED: 'changeBase',
} as const

/** Null for commands that a scenario causes by itself. Leaves out the `overridden` settings. */
export function eventOf(
  { command, about }: HistoryCommand,
  numberOf: Numbering,
  overridden: ReadonlySet<string>,
): ScenarioEvent | null {
  const at = toMinutes(command.at)
  if (command.type === 'updateQueue') {
    const set = commandSet(command.set, overridden)
    return set ? { at, do: 'updateQueue', set } : null
  }
  if (command.type === 'attachHost') return { at, do: 'attachHost', codeHost: command.codeHost }
  if (command.type === 'reportPush') return { at, do: 'pushToBranch' }
  return about ? eventAbout(command, { at, number: numberOf(about) }) : null
}

type SubmissionRef = { readonly at: number; readonly number: number }

function eventAbout(command: Command, ref: SubmissionRef): ScenarioEvent | null {
  if (command.type === 'submitPullRequest') {
    return { ...ref, do: 'submit', ...submitOptionsOf(command) }
  }
  if (command.type === 'cancelPullRequest') return { ...ref, do: cancels[command.reason] }
  if (command.type === 'restartTests') return { ...ref, do: 'restart' }
  if (command.type === 'reportManualMerge') return { ...ref, do: 'manualMerge' }
  if (command.type === 'setImpactedTargets') {
    return { ...ref, do: 'setImpactedTargets', targets: command.targets }
  }
  if (command.type === 'reportPullRequest' && command.mergeable !== undefined) {
    return { ...ref, do: 'setMergeable', mergeable: command.mergeable }
  }
  return null
}

function submitOptionsOf({
  priority,
  noBatch,
}: SubmitPullRequest): Pick<SubmitPullRequest, 'priority' | 'noBatch'> {
  return {
    ...(priority === undefined ? {} : { priority }),
    ...(noBatch === undefined ? {} : { noBatch }),
  }
}
