/** What a main run of a group tests: the tip, its predecessors and its members. Rule: E-12. */

import { extend, type CompositionKey } from './composition.ts'
import { contentsOf } from './content.ts'
import { membersBelow } from './predecessors.ts'
import type { GroupView, QueueView } from './state.ts'

/** The key of what a main run of the group would test if it started now. */
export function compositionOfMainRun(queue: QueueView, group: GroupView): CompositionKey {
  const numbers = [...membersBelow(queue, group), ...group.members]
  return extend(queue.tip.composition, contentsOf(queue, numbers))
}
