import { describe, expect, test } from 'vitest'
import { clusterWorker } from './cluster-worker.ts'
import { defects } from './defects.ts'
import { planOf, smallerPlans } from './plan.ts'
import { rehearse } from './rehearse.ts'

const seeds = Number(process.env['MERGEYARD_CLUSTER_SEEDS'] ?? 30)

describe('several servers on one log', () => {
  test(`in ${seeds} seeds of crashes, pauses, cuts and failovers every property holds`, async () => {
    const { findings, acknowledged } = await clusterWorker({ from: 1, to: seeds, defect: null })
    expect(findings).toEqual([])
    expect(acknowledged).toBeGreaterThan(100 * seeds)
  })

  test('the same seed goes the same way, to the byte', async () => {
    const plan = planOf(4)
    expect((await rehearse(plan)).trace).toBe((await rehearse(plan)).trace)
  })

  test.each(defects.map(({ name, sentence }) => [name, sentence]))(
    'the defect %s is noticed within 100 seeds: "%s" does not hold',
    async (defect) => {
      const { findings } = await clusterWorker({ from: 1, to: 100, defect })
      expect(findings).toHaveLength(1)
    },
  )

  test('a finding is told with the smallest plan that shows it', async () => {
    const { findings } = await clusterWorker({ from: 3, to: 3, defect: 'a-failed-commit-counts' })
    const [found] = findings
    expect(planOf(3).faults.length).toBeGreaterThan(3)
    expect(found?.plan.faults.length).toBeLessThanOrEqual(1)
    expect([...smallerPlans(planOf(3))].length).toBeGreaterThan(3)
  })
})
