/** Words to write a script with. Minutes everywhere. */

import type { CommandBody, Configuration } from '../../../engine/index.ts'
import type { Scripted } from './drive.ts'

type Wishes = { readonly priority?: number; readonly noBatch?: boolean }
type Settings = Partial<Configuration> & { readonly state?: 'RUNNING' | 'PAUSED' | 'DRAINING' }

export function submit(atMinute: number, ...numbers: readonly number[]): Scripted[] {
  return numbers.map((number) => submitAs(atMinute, number, {}))
}

export function submitAs(atMinute: number, number: number, wishes: Wishes): Scripted {
  return at(atMinute, { type: 'submitPullRequest', number, ...wishes })
}

export function cancel(atMinute: number, number: number): Scripted {
  return at(atMinute, { type: 'cancelPullRequest', number, reason: 'USER_REQUESTED' })
}

export function update(atMinute: number, set: Settings): Scripted {
  return at(atMinute, { type: 'updateQueue', set })
}

/** The code host tells that two pull requests do not merge as text. */
export function conflict(atMinute: number, number: number, other: number): Scripted {
  return at(atMinute, { type: 'reportPullRequest', number, conflictsWith: [other] })
}

export function at(atMinute: number, command: CommandBody): Scripted {
  return { atMinute, command }
}
