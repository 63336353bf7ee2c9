/** The direct effect of each command, by type. */

import type { CommandBody } from '../protocol/commands.ts'
import type { Rejection } from '../protocol/rejections.ts'
import type { Step } from '../evolve/step.ts'
import { attachHost } from './attach-host.ts'
import { cancelPullRequest } from './cancel.ts'
import type { Decide } from './decide.ts'
import { forget } from './forget.ts'
import { finishMerge, finishTestRun } from './finish.ts'
import { quarantineTest, releaseTest } from './quarantine.ts'
import { reportManualMerge, reportPullRequest, reportPush } from './report.ts'
import { reportUnbuildable } from './report-unbuildable.ts'
import { restartTests } from './restart-tests.ts'
import { setImpactedTargets } from './set-impacted-targets.ts'
import { submit } from './submit.ts'
import { updateQueue } from './update-queue.ts'

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
  // The rules find what is due.
  wake: () => null,
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
