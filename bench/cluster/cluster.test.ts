import { describe, expect, test, onTestFinished } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { describeLogDatabase } from '../../server/replica/testing/log-contract.ts'
import type { Terms } from '../../server/timing/term-keeper.ts'
import { describeTerms } from '../../server/timing/testing/terms-contract.ts'
import { chains, describeOutboxDatabase } from '../../server/webhooks/testing/outbox-contract.ts'
import { clusterWorker, rehearse } from './cluster-worker.ts'
import type { Defect } from './defect.ts'
import { defects } from './defects.ts'
import { planOf } from './plan.ts'
import { SimulatedDatabase } from './database.ts'
import { connect } from './server.ts'
import { SimulatedTime } from './time.ts'
import type { WireParts } from './network.ts'

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

  for (const [index, defect] of defects.entries()) {
    const tags = index < 3 ? [] : ['matrix']
    const { name, sentence } = defect
    test(`${name} is noticed within 300 seeds: "${sentence}" does not hold`, { tags }, async () => {
      expect(await firstNoticing(defect, likelyFirst(name))).not.toBeNull()
    })
  }

  test('a finding is told with a smaller plan that shows the same', matrix, async () => {
    const defect = defects.find(({ name }) => name === 'a-failed-commit-counts') ?? null
    const ofManyFaults = upTo300.filter((seed) => planOf(seed).faults.length > 3)
    const seed = (await firstNoticing(defect, ofManyFaults)) ?? 0
    const { findings } = await clusterWorker({
      from: seed,
      to: seed,
      defect: defect?.name ?? null,
    })
    expect(findings).toHaveLength(1)
    for (const { plan, violations } of findings) {
      expect(plan.faults.length).toBeLessThanOrEqual(1)
      const shown = (await rehearse(plan, defect)).violations.map(({ property }) => property)
      expect(shown).toContain(violations[0]?.property)
    }
  })
})

const upTo300 = Array.from({ length: 300 }, (_, index) => index + 1)

/** The first seed that noticed a defect, if it is not 1. It comes first, which only saves time: all others follow. */
const noticed: Readonly<Record<string, number>> = {
  'tail-read-before-the-lock': 67,
  'chain-not-compared': 12,
  'answers-before-the-commit': 3,
  'no-idle-timeout': 3,
  'anybody-writes-the-outbox': 3,
  'terms-do-not-end': 3,
  'posts-after-its-term': 3,
  'any-saved-state': 4,
  'no-sweep': 11,
  'older-engine-goes-on': 5,
  'writes-on-any-outbox': 39,
  'writes-on-any-log': 203,
  'a-failed-write-counts': 51,
  'ids-without-the-chain': 17,
  'tells-after-its-term': 46,
  'a-term-for-ever': 61,
  'asks-for-the-term-once': 10,
}

const likelyFirst = (defect: string): readonly number[] =>
  upTo300.toSorted(
    (one, other) => Number(other === noticed[defect]) - Number(one === noticed[defect]),
  )

/** The first of the seeds that notices the defect. */
async function firstNoticing(
  defect: Defect | null,
  ofSeeds: readonly number[],
): Promise<number | null> {
  for (const seed of ofSeeds) {
    if ((await rehearse(planOf(seed), defect)).violations.length > 0) return seed
  }
  return null
}

/** A database whose time goes on by itself while a test awaits. */
function simulated(): { readonly database: SimulatedDatabase; readonly wire: WireParts } {
  const time = new SimulatedTime()
  const database = new SimulatedDatabase(time, new Set())
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
