/** Chapter "Queue states". */

import type { UpdateQueue } from '../../../engine/index.ts'
import { say } from '../state/deeds.ts'
import type { Model } from '../state/state.ts'
import { review } from './order.ts'

const isLineEmpty = ({ line, bisections }: Model): boolean =>
  line.length === 0 && bisections.length === 0

/** E-102 to E-104. False if it is refused. */
export function update(model: Model, { set }: UpdateQueue): boolean {
  const { state, mode, ...settings } = set
  const newState = state === model.state ? undefined : state
  const modeToCome = model.nextMode ?? model.settings.mode
  const newMode = mode === modeToCome ? undefined : mode
  const isChange = newState !== undefined || newMode !== undefined
  if (model.state === 'SWITCHING_MODES' && isChange) return false
  const isEmpty = isLineEmpty(model)
  if (newMode !== undefined && !isEmpty) {
    if (model.state !== 'RUNNING' || newState !== undefined) return false
    model.nextMode = newMode
    enter(model, 'SWITCHING_MODES')
  } else if (newMode !== undefined) {
    model.settings = { ...model.settings, mode: newMode }
  }
  model.settings = { ...model.settings, ...settings }
  if (newState !== undefined) enter(model, newState)
  if (isChange && model.nextMode === null) review(model)
  return true
}

function enter(model: Model, state: Model['state']): void {
  say(model, 'queue', `queue ${model.state} to ${state}`, 'E-102, E-103')
  model.state = state
}

/** E-103: the mode changes when nothing is left in the line. */
export function switchMode(model: Model): boolean {
  if (model.nextMode === null || !isLineEmpty(model)) return false
  model.settings = { ...model.settings, mode: model.nextMode }
  model.nextMode = null
  enter(model, 'RUNNING')
  review(model)
  return true
}
