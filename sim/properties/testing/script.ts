/** Functions to write a script. All times are minutes. */

import type { CommandBody, Configuration } from '../../../engine/index.ts'
import type { ScriptedCommand } from './drive.ts'

type SubmitFields = {
  readonly priority?: number
  readonly noBatch?: boolean
  readonly dependsOn?: readonly number[]
}
type ScriptSettings = Partial<Configuration> & {
  readonly state?: 'RUNNING' | 'PAUSED' | 'DRAINING'
}

export function submit(atMinute: number, ...numbers: readonly number[]): ScriptedCommand[] {
  return numbers.map((number) => submitAs(atMinute, number, {}))
}

export function submitAs(atMinute: number, number: number, fields: SubmitFields): ScriptedCommand {
  return at(atMinute, { type: 'submitPullRequest', number, ...fields })
}

export function cancel(atMinute: number, number: number): ScriptedCommand {
  return at(atMinute, { type: 'cancelPullRequest', number, reason: 'USER_REQUESTED' })
}

export function update(atMinute: number, set: ScriptSettings): ScriptedCommand {
  return at(atMinute, { type: 'updateQueue', set })
}

/** The code host reports that a pull request conflicts as text with these others. */
export function conflict(
  atMinute: number,
  number: number,
  ...conflictsWith: readonly number[]
): ScriptedCommand {
  return at(atMinute, { type: 'reportPullRequest', number, conflictsWith })
}

export function at(atMinute: number, command: CommandBody): ScriptedCommand {
  return { atMinute, command }
}
