import { describe, expect, test, onTestFinished } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { describeLogDatabase } from '../../server/replica/testing/log-contract.ts'
import { describeTerms } from '../../server/timing/testing/terms-contract.ts'
import { chains, describeOutboxDatabase } from '../../server/webhooks/testing/outbox-contract.ts'
import { clusterWorker, rehearse } from './cluster-worker.ts'
import { defects, type Defect } from './defects.ts'
import { planOf } from './plan.ts'
import { SimulatedDatabase } from './database.ts'
import { connect } from './connection.ts'
import { SimulatedTime } from './time.ts'

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
  'answers-before-the-commit': 7,
  'a-failed-commit-counts': 6,
  'chain-not-compared': 4,
  'any-saved-state': 4,
  'no-sweep': 2,
  'older-engine-goes-on': 4,
  'writes-on-any-outbox': 66,
  'writes-on-any-log': 65,
  'terms-do-not-end': 3,
  'a-failed-write-counts': 11,
  'begins-at-the-end-of-the-log': 4,
  'ids-without-the-chain': 4,
  'tells-after-its-term': 26,
  'a-term-for-ever': 29,
  'asks-for-the-term-once': 4,
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

/** Connects to a database whose time goes on by itself while a test awaits. */
function simulated(): () => ReturnType<typeof connect> {
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
  const process = {
    name: 'test',
    time,
    timers: { now: () => time.nowMs, after: () => () => undefined },
    defect: null,
    draw: () => 0.5,
    isCut: () => false,
    deliver: (act: () => void) => act(),
  }
  return () => connect(process, database)
}

describeLogDatabase('the simulation', () => {
  const connected = simulated()
  return Promise.resolve({ one: connected().log, other: connected().log })
})

describeOutboxDatabase('the simulation', async () => {
  const connected = simulated()
  const { log, outbox: one, termsOf } = connected()
  const turn = await log.begin(0)
  const lines = chains.map((chain, place) => ({ sequence: place + 1, text: '{}', chain }))
  await turn.commit(lines, { sequence: 3, at: 1, chain: chains[2], engine: 1, wakeAt: null })
  return { one, other: connected().outbox, terms: termsOf('webhooks') }
})

describeTerms('the simulation', () => {
  const connected = simulated()
  return Promise.resolve({ one: connected().termsOf('hosts'), other: connected().termsOf('hosts') })
})
