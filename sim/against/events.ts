/** What somebody did to a recorded queue, as the event of a scenario. */

import type { Command, SubmitPullRequest } from '../../engine/index.ts'
import type { ScenarioEvent } from '../scenario/scenario.ts'
import { toMinutes } from '../time.ts'
import { commandSet } from './settings.ts'
import type { Submission, ToldOf } from './witness.ts'

/** Which number a submission has in the scenario. */
export type Numbering = (submission: Submission) => number

const cancels = {
  USER_REQUESTED: 'cancel',
  PR_PUSHED_TO: 'push',
  PR_CLOSED: 'close',
  PR_CONVERTED_TO_DRAFT: 'convertToDraft',
  PR_BASE_BRANCH_CHANGED: 'changeBase',
} as const

/** Null for what a scenario brings about by itself. `overridden` settings are left out. */
export function eventOf(
  { command, about }: ToldOf,
  numberOf: Numbering,
  overridden: ReadonlySet<string>,
): ScenarioEvent | null {
  const at = toMinutes(command.at)
  if (command.type === 'updateQueue') {
    const set = commandSet(command.set, overridden)
    return set ? { at, do: 'updateQueue', set } : null
  }
  if (command.type === 'reportPush') return { at, do: 'pushToBranch' }
  return about ? eventAbout(command, { at, number: numberOf(about) }) : null
}

type Place = { readonly at: number; readonly number: number }

function eventAbout(command: Command, place: Place): ScenarioEvent | null {
  if (command.type === 'submitPullRequest') {
    return { ...place, do: 'submit', ...wishesOf(command) }
  }
  if (command.type === 'cancelPullRequest') return { ...place, do: cancels[command.reason] }
  if (command.type === 'restartTests') return { ...place, do: 'restart' }
  if (command.type === 'reportManualMerge') return { ...place, do: 'manualMerge' }
  if (command.type === 'setImpactedTargets') {
    return { ...place, do: 'setImpactedTargets', targets: command.targets }
  }
  if (command.type === 'reportPullRequest' && command.mergeable !== undefined) {
    return { ...place, do: 'setMergeable', mergeable: command.mergeable }
  }
  return null
}

function wishesOf({
  priority,
  noBatch,
}: SubmitPullRequest): Pick<SubmitPullRequest, 'priority' | 'noBatch'> {
  return {
    ...(priority === undefined ? {} : { priority }),
    ...(noBatch === undefined ? {} : { noBatch }),
  }
}
