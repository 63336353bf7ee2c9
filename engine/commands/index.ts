/** The direct effect of each command, by type. */

import type { CommandBody, Rejection } from '../protocol/commands.ts'
import type { Step, Decide } from '../evolve/step.ts'
import { attachHost, forget, quarantineTest, releaseTest, updateQueue, wake } from './queue.ts'
import { cancelPullRequest, restartTests, setImpactedTargets, submit } from './pull-request.ts'
import { finishMerge, finishTestRun } from './finish.ts'
import { reportManualMerge, reportPullRequest, reportPush, reportUnbuildable } from './report.ts'

type CommandType = CommandBody['type']
type BodyOf<Type extends CommandType> = Extract<CommandBody, { type: Type }>

const decisions: { readonly [Type in CommandType]: Decide<BodyOf<Type>> } = {
  submitPullRequest: submit,
  cancelPullRequest,
  restartTests,
  setImpactedTargets,
  reportPullRequest,
  reportManualMerge,
  reportPush,
  finishTestRun,
  reportUnbuildable,
  finishMerge,
  updateQueue,
  attachHost,
  quarantineTest,
  releaseTest,
  forget,
  wake,
}

/**
 * Applies the direct effect of a command. Returns null, or a rejection; then nothing has changed.
 */
export function decide(step: Step, command: CommandBody): Rejection | null {
  return decideOn(step, command.type, command)
}

function decideOn<Type extends CommandType>(
  step: Step,
  type: Type,
  command: BodyOf<Type>,
): Rejection | null {
  return decisions[type](step, command)
}
