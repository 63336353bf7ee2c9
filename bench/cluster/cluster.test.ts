import { describe, expect, test, onTestFinished } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { describeLogDatabase } from '../../server/replica/testing/log-contract.ts'
import type { Terms } from '../../server/timing/term-keeper.ts'
import { describeTerms } from '../../server/timing/testing/terms-contract.ts'
import { chains, describeOutboxDatabase } from '../../server/webhooks/testing/outbox-contract.ts'
import { clusterWorker, rehearse } from './cluster-worker.ts'
import { defects, type Defect } from './defects.ts'
import { planOf } from './plan.ts'
import { SimulatedDatabase } from './database.ts'
import { connect } from './connection.ts'
import { SimulatedTime } from './time.ts'
import type { Link } from './network.ts'

const seeds = Number(process.env['MERGEYARD_CLUSTER_SEEDS'] ?? 4)

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

  for (const [index, [name, sentence]] of defects.entries()) {
    const tags = index < 3 ? [] : ['matrix']
    test(`${name} is noticed within 100 seeds: "${sentence}" does not hold`, { tags }, async () => {
      expect(await firstNoticing(name, likelyFirst(name))).not.toBeNull()
    })
  }

  test('a finding is told with a smaller plan that shows the same', matrix, async () => {
    const defect = 'a-failed-commit-counts'
    const ofManyFaults = upTo100.filter((seed) => planOf(seed).faults.length > 3)
    const seed = (await firstNoticing(defect, ofManyFaults)) ?? 0
    const { findings } = await clusterWorker({
      from: seed,
      to: seed,
      defect,
    })
    expect(findings).toHaveLength(1)
    for (const { plan, violations } of findings) {
      expect(plan.faults.length).toBeLessThanOrEqual(1)
      const shown = (await rehearse(plan, defect)).violations.map(({ property }) => property)
      expect(shown).toContain(violations[0]?.property)
    }
  })
})

const upTo100 = Array.from({ length: 100 }, (_, index) => index + 1)

/** The first seed that noticed a defect, if it is not 1. It comes first, which only saves time: all others follow. */
const noticed: Readonly<Record<string, number>> = {
  'no-sweep': 30,
  'posts-after-its-term': 3,
  'any-saved-state': 5,
  'writes-on-any-log': 85,
  'ids-without-the-chain': 4,
  'tail-read-before-the-lock': 21,
  'anybody-writes-the-outbox': 3,
  'a-failed-write-counts': 2,
  'asks-for-the-term-once': 3,
  'older-engine-goes-on': 4,
  'a-term-for-ever': 77,
  'a-failed-commit-counts': 7,
  'chain-not-compared': 4,
  'writes-on-any-outbox': 14,
  'no-idle-timeout': 6,
  'terms-do-not-end': 3,
  'tells-after-its-term': 2,
}

const likelyFirst = (defect: string): readonly number[] =>
  upTo100.toSorted(
    (one, other) => Number(other === noticed[defect]) - Number(one === noticed[defect]),
  )

/** The first of the seeds that notices the defect. */
async function firstNoticing(defect: Defect, ofSeeds: readonly number[]): Promise<number | null> {
  for (const seed of ofSeeds) {
    if ((await rehearse(planOf(seed), defect)).violations.length > 0) return seed
  }
  return null
}

/** A database whose time goes on by itself while a test awaits. */
function simulated(): { readonly database: SimulatedDatabase; readonly wire: Link } {
  const time = new SimulatedTime()
  const database = new SimulatedDatabase(time)
  let isOver = false
  const tick = (): void => {
    if (!isOver) void time.runUntil(time.nowMs + 5).then(() => setImmediate(tick))
  }
  onTestFinished(() => {
    isOver = true
  })
  tick()
  // Nothing is lost or slow.
  const wire = { time, draw: () => 0.5, isCut: () => false, deliver: (act: () => void) => act() }
  return { database, wire }
}

describeLogDatabase('the simulation', () => {
  const { database, wire } = simulated()
  return Promise.resolve({ one: connect(wire, database).log, other: connect(wire, database).log })
})

describeOutboxDatabase('the simulation', async () => {
  const { database, wire } = simulated()
  const [{ log, outbox: one, termsOf }, { outbox: other }] = [
    connect(wire, database),
    connect(wire, database),
  ]
  const turn = await log.begin(0)
  const lines = chains.map((chain, place) => ({ sequence: place + 1, text: '{}', chain }))
  await turn.commit(lines, { sequence: 3, at: 1, chain: chains[2], engine: 1, wakeAt: null })
  return { one, other, terms: termsOf('webhooks') }
})

describeTerms('the simulation', () => {
  const { database, wire } = simulated()
  const connected = (): Terms => connect(wire, database).termsOf('hosts')
  return Promise.resolve({ one: connected(), other: connected() })
})
