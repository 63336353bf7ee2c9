/**
 * Keeps the groups of the line by phase, in line order, so that a rule reads only the groups in the
 * phases it handles.
 */

import { noPhases } from '../model/group.ts'
import type { Group, GroupPhase, Phases, Queue } from '../model/state.ts'

/** Changes the phase of a group in the line. All changes of a phase go through this function. */
export function enterPhase(queue: Queue, group: Group, phase: GroupPhase): void {
  const isAnother = phase.kind !== group.phase.kind
  if (isAnother) leavePhase(queue, group)
  group.phase = phase
  if (isAnother) joinPhase(queue, group)
}

/** Adds a group, which has its place in the line, to the list of its phase. */
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

/** Removes a group from the list of its phase. */
export function leavePhase({ phases }: Queue, { id, phase }: Group): void {
  const ids = phases[phase.kind]
  ids.splice(ids.indexOf(id), 1)
}

/** Computes the lists from the groups, because a snapshot does not contain them. */
export function phasesOf({ line, groups }: Pick<Queue, 'line' | 'groups'>): Phases {
  const phases = noPhases()
  for (const id of line) {
    const group = groups[id]
    if (group) phases[group.phase.kind].push(id)
  }
  return phases
}

type Passed = Extract<GroupPhase, { kind: 'passed' }>

/** The code host is not merging any member any more. */
export function notMerging({ together: _together, pushedTo: _pushedTo, ...phase }: Passed): Passed {
  return { ...phase, merging: null }
}
