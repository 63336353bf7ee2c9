/** The parts of a scenario that a demo leaves out: the API has no operation to report them. */

import type { Scenario } from '../scenario/scenario.ts'
import { requestOf } from './simulated-users.ts'

/** Returns the names of the parts that are left out. */
export function leftOut({
  pullRequests = [],
  traffic = {},
  events = [],
  faults = {},
}: Scenario): string[] {
  const has = {
    'text conflicts':
      (traffic.conflictRate ?? 0) > 0 ||
      pullRequests.some(({ conflictsWith = [] }) => conflictsWith.length > 0),
    'direct merges':
      (traffic.greenOnTipRate ?? 0) > 0 || pullRequests.some((entry) => entry.greenOnTip),
    'pushes to the branch, merges by hand, mergeability': events.some(
      (event) => requestOf(event) === null,
    ),
    'refused merges':
      [
        faults.mergeRefusedRate,
        faults.mergeConflictRate,
        faults.mergePushedRate,
        faults.branchMovedRate,
        faults.partialPushRate,
      ].some((rate) => (rate ?? 0) > 0) || (faults.mergeMinutes ?? 0) > 0,
    crashes: (faults.crashRate ?? 0) + (faults.lostCommandRate ?? 0) > 0,
  }
  return Object.entries(has).flatMap(([name, isThere]) => (isThere ? [name] : []))
}
