/** Chapter "Queue states". */

import type { UpdateQueue } from '../../engine/index.ts'
import { review } from './pull-request-states.ts'
import type { Model } from './state.ts'
import { deed } from './words.ts'

const isLineEmpty = ({ line, bisections }: Model): boolean =>
  line.length === 0 && bisections.length === 0

/** E-102 to E-104. False if it is refused. */
export function update(model: Model, { set }: UpdateQueue): boolean {
  const modeToCome = model.nextMode ?? model.settings.mode
  const { state = model.state, mode = modeToCome, ...settings } = set
  const isNewState = state !== model.state
  const isNewMode = mode !== modeToCome
  if (model.state === 'SWITCHING_MODES' && (isNewState || isNewMode)) return false
  const mustSwitch = isNewMode && !isLineEmpty(model)
  if (mustSwitch && (model.state !== 'RUNNING' || isNewState)) return false
  if (mustSwitch) model.nextMode = mode
  // E-28.
  const modeInForce = model.nextMode === null ? mode : model.settings.mode
  model.settings = { ...model.settings, ...settings, mode: modeInForce }
  enter(model, mustSwitch ? 'SWITCHING_MODES' : state)
  return true
}

function enter(model: Model, state: Model['state']): void {
  if (state !== model.state) {
    model.deeds.push(deed('queue', `queue ${model.state} to ${state}`))
  }
  model.state = state
  review(model)
}

/** E-103: the mode changes when nothing is left in the line. */
export function switchMode(model: Model): void {
  if (model.nextMode === null || !isLineEmpty(model)) return
  model.settings = { ...model.settings, mode: model.nextMode }
  model.nextMode = null
  enter(model, 'RUNNING')
}
