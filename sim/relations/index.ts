/**
 * Metamorphic relations (S-48): properties that compare a run with a run that was changed in a way
 * that must not matter.
 */

import type { Property } from '../observe/property.ts'
import { properties } from '../properties/index.ts'
import { simulate } from '../run/simulate.ts'
import { toMillis } from '../scenario/time.ts'
import { lanesKeepApart } from './lanes-keep-apart.ts'
import { numbersAreNames, restartChangesNothing, timesShift } from './varied.ts'

/**
 * The order of things that happen at the same time is arbitrary, so every property must hold in
 * another order, too.
 */
export const tiesAreFree: Property = {
  name: 'ties-are-free',
  sentence:
    'When things that happen at the same time happen in another order, no property is violated.',
  watch: ({ inputs, check }) => ({
    atEnd() {
      if (!inputs) return
      const { scenario, parts } = inputs
      const tieOrder = scenario.tieOrder === 'shuffled' ? 'submission' : 'shuffled'
      const { properties: results } = simulate(
        { ...scenario, tieOrder },
        { properties, parts, isUnhashed: true },
      )
      for (const { name, checked, violations } of results) {
        if (checked === 0) continue
        const { atMinutes = 0, sequence = 0, story = '', pullRequests = [] } = violations[0] ?? {}
        check(violations.length === 0, { at: toMillis(atMinutes), sequence }, () => ({
          story: `With "tieOrder": "${tieOrder}", ${name} is violated: ${story}`,
          pullRequests,
        }))
      }
    },
  }),
}

export const relations: readonly Property[] = [
  restartChangesNothing,
  timesShift,
  numbersAreNames,
  tiesAreFree,
  lanesKeepApart,
]
