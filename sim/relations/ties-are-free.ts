import { properties } from '../properties/index.ts'
import type { Property } from '../properties/property.ts'
import { simulate } from '../simulate.ts'
import { toMillis } from '../time.ts'

/**
 * The order of things that happen at one instant is nobody's to choose; so every property must
 * hold in another one as well.
 */
export const tiesAreFree: Property = {
  name: 'ties-are-free',
  sentence: 'When what happens at one instant happens in another order, no property is violated.',
  watch: ({ makings }, findings) => ({
    onMoment: () => undefined,
    atEnd() {
      if (!makings) return
      const { scenario, parts } = makings
      const tieOrder = scenario.tieOrder === 'shuffled' ? 'submission' : 'shuffled'
      const { properties: results } = simulate(
        { ...scenario, tieOrder },
        { properties, parts, isUnhashed: true },
      )
      for (const { name, checked, violations } of results) {
        if (checked > 0) findings.check()
        const [first] = violations
        if (!first) continue
        const { atMinutes, sequence, story, pullRequests } = first
        const told = `With "tieOrder": "${tieOrder}", ${name} is violated: ${story}`
        findings.violate({ at: toMillis(atMinutes), sequence, story: told, pullRequests })
      }
    },
  }),
}
