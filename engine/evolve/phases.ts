/**
 * The groups of the line by phase, in its order: a rule asks at every step who has passed, failed
 * or waits, and looks at nobody else.
 */

import { noPhases } from '../model/group.ts'
import type { Group, GroupPhase, Phases, Queue } from '../model/state.ts'

/** Where the phase of a group in the line changes, and nowhere else. */
export function enterPhase(queue: Queue, group: Group, phase: GroupPhase): void {
  const isAnother = phase.kind !== group.phase.kind
  if (isAnother) leavePhase(queue, group)
  group.phase = phase
  if (isAnother) joinPhase(queue, group)
}

/** Notes a group that has its place in the line. */
export function joinPhase({ phases, groups }: Queue, { id, place, phase }: Group): void {
  const ids = phases[phase.kind]
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((groups[ids[middle] ?? 0]?.place ?? place) < place) low = middle + 1
    else high = middle
  }
  ids.splice(low, 0, id)
}

export function leavePhase({ phases }: Queue, { id, phase }: Group): void {
  const ids = phases[phase.kind]
  ids.splice(ids.indexOf(id), 1)
}

/** Found afresh, for a queue that was written without them. */
export function phasesOf({ line, groups }: Pick<Queue, 'line' | 'groups'>): Phases {
  const phases = noPhases()
  for (const id of line) {
    const group = groups[id]
    if (group) phases[group.phase.kind].push(id)
  }
  return phases
}
