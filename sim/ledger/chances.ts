/** Whether the predecessors of a group will probably all pass. Rule: E-189. */

import type { Projections } from './ledger.ts'
import type { LineGroup } from './line-group.ts'
import { predecessorsOf } from './predecessors.ts'

const leastChance = 0.3
const chanceOfScreened = 0.97

export const areLikelyBelow = (ledger: Projections, group: LineGroup): boolean =>
  chanceBelow(ledger, group) >= leastChance

/** The chance that every predecessor passes. */
function chanceBelow(ledger: Projections, group: LineGroup): number {
  return predecessorsOf(ledger.line.groups, group)
    .filter(({ status }) => status === 'waiting' || status === 'testing')
    .map(({ isScreened, members }) =>
      isScreened ? chanceOfScreened : (1 - ledger.judged.failureRate) ** members.length,
    )
    .reduce((product, chance) => product * chance, 1)
}
