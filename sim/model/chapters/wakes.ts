/** Chapter "Commands and events": when the engine asks to be woken (E-8). */

import type { Model } from '../state/state.ts'
import { endOfWait } from './batches.ts'
import { awaitsOthers } from './failures.ts'
import { isSlotFree } from './starting.ts'

/** The instant at which the next thing is due by itself; null for never. */
export function nextWake(model: Model): number | null {
  const runs = [...model.mainRuns, ...model.bisectionRuns].map(({ deadline }) => deadline)
  const repeated = model.line.flatMap(({ phase }) => {
    return phase.is === 'waiting' && phase.retry ? [phase.retry.notBefore] : []
  })
  const searched = model.bisections.flatMap(({ retries }) => retries)
  const searchedAgain = searched.map(({ notBefore }) => notBefore)
  const holds = model.line.flatMap((group) => {
    const { phase } = group
    const until = phase.is === 'failed' ? phase.heldUntil : null
    return until !== null && awaitsOthers(model, group) ? [until] : []
  })
  const mayStart = model.state === 'RUNNING' && isSlotFree(model)
  const wait = mayStart ? endOfWait(model) : null
  // A retry that is due already waits for a slot, not for an instant.
  const instants = [
    ...runs,
    ...repeated,
    ...searchedAgain,
    ...holds,
    ...(wait === null ? [] : [wait]),
  ]
  const later = instants.filter((each) => each > model.at)
  return later.length === 0 ? null : Math.min(...later)
}
