/** The phases of groups, and how many groups of the line are in each. */

import { noPhases } from '../model/group.ts'
import type { Group, GroupPhase, Phases, Queue } from '../model/state.ts'

/** Where the phase of a group in the line changes, and nowhere else: else the counts go wrong. */
export function enterPhase(queue: Queue, group: Group, phase: GroupPhase): void {
  queue.phases[group.phase.kind]--
  queue.phases[phase.kind]++
  group.phase = phase
}

/** Counted afresh, for a queue that was written before there were counts. */
export function countPhases({ line, groups }: Pick<Queue, 'line' | 'groups'>): Phases {
  const phases = noPhases()
  for (const id of line) {
    const group = groups[id]
    if (group) phases[group.phase.kind]++
  }
  return phases
}
