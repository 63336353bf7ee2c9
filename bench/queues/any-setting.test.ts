import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scenarioOf } from '../../sim/testing/simulated.ts'
import { policyOutcome } from './simulate-policy.ts'
import { otherQueue, otherQueueNames } from './index.ts'
import { type Value, usualValues } from './parameters.ts'

const traffic = fc.record({
  seed: fc.integer({ min: 1, max: 1e6 }),
  suiteFlakes: fc.record({ perRun: fc.constantFrom(0, 0.2) }),
  suite: fc.constantFrom({ minutes: 10 }, { minutes: { median: 10, p95: 30 } } as const),
  traffic: fc.record({
    count: fc.integer({ min: 1, max: 30 }),
    arrivals: fc.record({ perHour: fc.integer({ min: 2, max: 60 }) }),
    breakRate: fc.constantFrom(0, 0.1, 0.4),
    conflictRate: fc.constantFrom(0, 0.1),
    noBatchRate: fc.constantFrom(0, 0.3),
    stacks: fc.constantFrom({ share: 0 }, { share: 0.5, depth: 4 }),
  }),
})

const slots = 5

/** For each parameter, which value of its ladder. */
const picks = fc.array(fc.nat(100), { minLength: 8, maxLength: 8 })

test.each(otherQueueNames)(
  'given any traffic and any setting of %s, all pull requests end, within the slots, unproven as stated',
  (name) => {
    const { parameters, kinds, normal, policy } = otherQueue(name)
    const usual = usualValues({ parameters })
    const property = fc.property(traffic, picks, (draft, chosen) => {
      const drawn = parameters.map((each, index): readonly [string, Value] => {
        const ladder = each.ladder(slots)
        return [each.name, ladder[(chosen[index] ?? 0) % Math.max(1, ladder.length)] ?? each.usual]
      })
      const values = normal(Object.fromEntries(drawn), usual)
      const outcome = policyOutcome(scenarioOf(draft), policy(values), slots)
      const { tally, proofs } = outcome
      const ended = tally.timesToLand.length + tally.failed
      // One that depends on one that has failed never ends (S-362).
      const mayStay = draft.traffic.stacks.share > 0 && tally.failed > 0
      expect(mayStay ? ended <= draft.traffic.count : ended === draft.traffic.count).toBe(true)
      expect(tally).toMatchObject({ badMerged: 0, brokenMainMs: 0 })
      expect(tally.peakRuns).toBeLessThanOrEqual(slots)
      const can = kinds(values)
      // GitHub and GitLab drop a failing pull request although a culprit ahead may be the cause.
      const mayEvict = draft.suiteFlakes.perRun > 0 || name === 'github' || name === 'gitlab'
      expect({
        midBatch: can.includes('mid-batch') ? 0 : proofs.midBatch,
        cleared: can.includes('cleared-by-successor') ? 0 : proofs.clearedBySuccessor,
        healthyEvicted: mayEvict ? 0 : tally.healthyEvicted,
      }).toEqual({ midBatch: 0, cleared: 0, healthyEvicted: 0 })
    })
    fc.assert(property, { numRuns: 100, seed: 1 })
  },
)
