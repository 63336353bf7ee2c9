/** Chapter "Queue states". */

import type { UpdateQueue } from '../../engine/index.ts'
import { review } from './pull-request-states.ts'
import type { Model } from './state.ts'
import { deed } from './words.ts'

const isLineEmpty = ({ line, bisections }: Model): boolean =>
  line.length === 0 && bisections.length === 0

/** E-102 to E-104. False if it is refused. */
export function update(model: Model, { set }: UpdateQueue): boolean {
  const { state = model.state, mode = model.nextMode ?? model.settings.mode, ...settings } = set
  const isNewState = state !== model.state
  const isNewMode = mode !== (model.nextMode ?? model.settings.mode)
  if (model.state === 'SWITCHING_MODES' && (isNewState || isNewMode)) return false
  const mustSwitch = isNewMode && !isLineEmpty(model)
  if (mustSwitch && (model.state !== 'RUNNING' || isNewState)) return false
  // E-28.
  model.settings = { ...model.settings, ...settings }
  if (mustSwitch) {
    model.nextMode = mode
    enter(model, 'SWITCHING_MODES')
    return true
  }
  if (isNewMode) model.settings = { ...model.settings, mode }
  if (isNewState) enter(model, state)
  if (isNewState || isNewMode) review(model)
  return true
}

function enter(model: Model, state: Model['state']): void {
  model.deeds.push(deed('queue', `queue ${model.state} to ${state}`))
  model.state = state
}

/** E-103: the mode changes when nothing is left in the line. */
export function switchMode(model: Model): void {
  if (model.nextMode === null || !isLineEmpty(model)) return
  model.settings = { ...model.settings, mode: model.nextMode }
  model.nextMode = null
  enter(model, 'RUNNING')
  review(model)
}
