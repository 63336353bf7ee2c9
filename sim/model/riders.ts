/** Chapter "Survivors and members that leave": which survivors may wait for others (E-212, E-214). */

import { isAlone, type Group, type Model } from './state.ts'

/** Those behind which nothing else is in the line. */
export function ridersAtEnd(model: Model): Group[] {
  const last = model.line.findLastIndex((group) => !mayRide(model, group))
  return model.line.slice(last + 1)
}

export function mayRide({ settings }: Model, { hasSurvived, phase, members }: Group): boolean {
  const { survivorsTakeAlong, canOptimisticallyMerge, mode } = settings
  const isOn = survivorsTakeAlong && canOptimisticallyMerge && mode === 'single'
  // E-214. One with a run waits to repeat it.
  return isOn && hasSurvived && phase.is === 'waiting' && !phase.run && !members.some(isAlone)
}
