import { describe, expect, test } from 'vitest'
import { scenarioOf } from '../../sim/testing/simulated.ts'
import { knownAxis } from './axes.ts'
import { Candidates } from './candidates.ts'
import { policiesOf } from './policies.ts'
import type { Trial } from './runner.ts'
import { finalistsOf } from './search.ts'
import { trialWith } from './testing/trials.ts'

const axes = [knownAxis('policy', 'documented,adaptive'), knownAxis('batch', '2,4,8,16,32,64,128')]
const made = new Candidates(scenarioOf({ queue: { concurrency: 10 } }), axes)

const trial = (policy: 'documented' | 'adaptive', batch: number, p95: number): Trial => ({
  ...trialWith({ p95 }),
  candidate: made.with({
    'queue.policy': policy,
    'queue.batch': true,
    'queue.batchingMinSize': batch,
  }),
})

const contest = { preference: 'balance', least: 0.05 } as const

describe('the best fixed setting against the adaptive policy at its best', () => {
  test.each([
    { fixed: 60, better: 'fixed' },
    { fixed: 101, better: null },
    { fixed: 140, better: 'adaptive' },
  ] as const)('a p95 of 100 with adaptive and $fixed: $better', ({ fixed, better }) => {
    const trials = [
      trial('documented', 2, fixed + 30),
      trial('documented', 4, fixed),
      trial('adaptive', 8, 100),
      trial('adaptive', 16, 150),
    ]
    expect(policiesOf(trials, contest)).toMatchObject({
      adaptive: trials[2]?.candidate.name,
      fixed: trials[1]?.candidate.name,
      better,
      fixedAgainstAdaptive: { p95: { measure: 'ratio' } },
    })
  })

  test('given settings of one policy only, there is nothing to compare', () => {
    expect(policiesOf([trial('adaptive', 8, 100), trial('adaptive', 4, 90)], contest)).toBeNull()
  })

  test('the best of each policy reaches the final, also behind seven of the other one', () => {
    const many = [2, 4, 8, 16, 32, 64, 128].map((batch) => trial('documented', batch, 50 + batch))
    const adaptive = trial('adaptive', 8, 500)
    const finalists = finalistsOf([...many, adaptive], ['balance'])
    expect(finalists).toHaveLength(6)
    expect(finalists).toContain(adaptive.candidate)
  })
})
