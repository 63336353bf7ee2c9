import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  simulated,
  scenarioOf,
  type UnnamedScenario,
  pullRequests,
} from '../../sim/testing/simulated.ts'
import type { PullRequestEntry } from '../../sim/scenario/scenario.ts'
import type { ComparedFigures } from './figures.ts'
import { strategies } from './index.ts'

function simulateWith(name: string, draft: UnnamedScenario): ComparedFigures {
  const strategy = strategies.find((each) => each.name === name)
  if (!strategy) throw new Error(`no strategy ${name}`)
  return strategy.simulate(scenarioOf(draft))
}

/** Nobody was longer in the queue. */
const within = (max: number) => ({ timeInQueueMinutes: { max } })

/** Four pull requests at once. The second breaks. Every run takes ten minutes. */
const four: UnnamedScenario = {
  queue: { concurrency: 4, batch: true, batchingMinSize: 4 },
  suite: { minutes: 10 },
  pullRequests: [{ number: 1 }, { number: 2, breaks: true }, { number: 3 }, { number: 4 }],
}

describe('given four pull requests at once, and the second breaks', () => {
  test('one at a time: four runs, and the last merges after forty minutes', () => {
    const counted = { testRuns: 4, merged: 3, failed: 1, peakRuns: 1 }
    expect(simulateWith('one at a time', four)).toMatchObject({ ...counted, ...within(40) })
  })

  test.each(['GitHub-like', 'GitLab-like', 'Mergify-like'])(
    '%s: both successors start again',
    (name) => {
      const counted = { testRuns: 6, merged: 3, healthyEvicted: 0 }
      expect(simulateWith(name, four)).toMatchObject({ ...counted, ...within(20) })
    },
  )

  test('GitHub-like, last green: the group waits, and the culprit leaves as its head', () => {
    // 1 merges at once. 2, 3 and 4 have all failed, so 2 leaves and the others are rebuilt.
    const found = simulateWith('GitHub-like, last green', four)
    expect(found).toMatchObject({ testRuns: 6, merged: 3, ...within(20) })
  })

  test('Zuul-like: the two successors move to the nearest item that does not fail', () => {
    const found = simulateWith('Zuul-like', four)
    expect(found).toMatchObject({ testRuns: 6, merged: 3, ...within(20) })
  })

  test('bors-like: one batch, then its halves; the failing half is split again', () => {
    // 1..4, then 1 and 2, then 3 and 4, then 1, then 2. A new batch waits at least ten seconds.
    const counted = { testRuns: 5, merged: 3, failed: 1, peakRuns: 1 }
    const max: unknown = expect.closeTo(40 + 2 / 6, 9)
    const found = simulateWith('bors-like', four)
    expect(found).toMatchObject({ ...counted, timeInQueueMinutes: { max } })
  })
})

describe('the strategies differ', () => {
  /** The first breaks, and its run takes twenty minutes. The second is tested on top of it. */
  const slowCulprit: UnnamedScenario = {
    queue: { concurrency: 2 },
    pullRequests: pullRequests({ breaks: true, testMinutes: 20 }, { testMinutes: 5 }),
  }

  test.each(['GitHub-like', 'GitLab-like'])('behind a slow culprit, %s evicts one', (name) => {
    expect(simulateWith(name, slowCulprit)).toMatchObject({ merged: 0, healthyEvicted: 1 })
  })

  // S-57
  test('GitHub-like: who conflicts with a culprit ahead is a healthy one, and lands when it comes again', () => {
    const [culprit, other] = slowCulprit.pullRequests ?? []
    const conflict: UnnamedScenario = {
      ...slowCulprit,
      pullRequests: [...(culprit ? [culprit] : []), { ...other, number: 2, conflictsWith: [1] }],
    }
    expect(simulateWith('GitHub-like', conflict)).toMatchObject({ merged: 0, healthyEvicted: 1 })
    expect(simulateWith('Mergeyard', conflict)).toMatchObject({ merged: 1, healthyEvicted: 0 })
    const again = { ...conflict, resubmit: { afterMinutes: 25 } }
    expect(simulateWith('GitHub-like', again)).toMatchObject({ merged: 1, healthyEvicted: 1 })
  })

  test.each(['Mergify-like', 'Zuul-like', 'Mergeyard'])(
    'behind a slow culprit %s waits',
    (name) => {
      expect(simulateWith(name, slowCulprit)).toMatchObject({ merged: 1, healthyEvicted: 0 })
    },
  )

  test('GitHub-like, last green: a flaky pull request merges with its successor', () => {
    const flake: UnnamedScenario = {
      queue: { concurrency: 2 },
      pullRequests: [{ number: 1, flakyRuns: [1] }, { number: 2 }],
    }
    expect(simulateWith('GitHub-like', flake)).toMatchObject({ merged: 1, healthyEvicted: 1 })
    expect(simulateWith('GitHub-like, last green', flake)).toMatchObject({ merged: 2, testRuns: 2 })
  })

  test('bors-like: given a submission during a run, it joins the waiting batch', () => {
    const late: UnnamedScenario = {
      pullRequests: [{ number: 1 }, { number: 2, at: 2 }, { number: 3, at: 4 }],
    }
    expect(simulateWith('bors-like', late)).toMatchObject({ merged: 3, testRuns: 2 })
  })

  test('Zuul-like: each failure halves the window, down to three; each merge adds one', () => {
    const found = simulateWith('Zuul-like', {
      queue: { concurrency: 100 },
      pullRequests: Array.from({ length: 24 }, (_, index) => ({
        number: index + 1,
        breaks: index < 5,
      })),
    })
    // Ten minutes each: 20 runs, 10, 5, 3, 3, then all pass: 3, 6, and the last 10.
    expect(found).toMatchObject({ testRuns: 60, failed: 5, merged: 19, ...within(80) })
  })

  test('GitHub-like, last green: one that passes merges those ahead that are pending', () => {
    const slowAhead: UnnamedScenario = {
      queue: { concurrency: 2 },
      pullRequests: pullRequests({ testMinutes: 20 }, { testMinutes: 5 }),
    }
    expect(simulateWith('GitHub-like, last green', slowAhead)).toMatchObject(within(5))
  })
})

test('given a text conflict, every strategy evicts the later pull request', () => {
  const conflict: UnnamedScenario = {
    pullRequests: [{ number: 1 }, { number: 2, conflictsWith: [1] }, { number: 3 }],
  }
  for (const { name, simulate } of strategies) {
    const counted = { merged: 2, failed: 1, healthyEvicted: 0 }
    expect(simulate(scenarioOf(conflict)), name).toMatchObject(counted)
  }
})

test('given two that clash, every strategy lands both in the end', () => {
  const clash: UnnamedScenario = {
    pullRequests: [{ number: 1 }, { number: 2, at: 1, clashesWith: [1] }, { number: 3, at: 2 }],
    resubmit: { afterMinutes: 30 },
  }
  for (const { name, simulate } of strategies) {
    const found = simulate(scenarioOf(clash))
    expect(found, name).toMatchObject({ merged: 3, failed: 0, healthyEvicted: 0, badMerged: 0 })
    expect(found.clashed, name).toBeGreaterThan(0)
  }
})

// S-362
describe('given a stack of three', () => {
  const stack = (changed: Partial<PullRequestEntry>): UnnamedScenario => ({
    queue: { concurrency: 4 },
    suite: { minutes: 10 },
    pullRequests: pullRequests({ ...changed }, { dependsOn: [1] }, { dependsOn: [2] }, {}),
    resubmit: { afterMinutes: 30 },
  })
  const taking = ['GitHub-like', 'Mergify-like', 'Zuul-like', 'Mergeyard', 'oracle']
  const waiting = ['one at a time', 'GitLab-like', 'bors-like']

  test.each(taking)('%s tests it at once', (name) => {
    expect(simulateWith(name, stack({}))).toMatchObject({ merged: 4, heldBack: 0 })
    expect(simulateWith(name, stack({})).timeToLandMinutes.max).toBe(10)
  })

  test.each(waiting)('%s tests each when the one below has merged', (name) => {
    const found = simulateWith(name, stack({}))
    expect(found).toMatchObject({ merged: 4, heldBack: 2 })
    const { timeToLandMinutes, timeInQueueMinutes } = found
    expect(timeToLandMinutes.max).toBeGreaterThanOrEqual(30)
    expect(timeInQueueMinutes.max).toBeLessThan(timeToLandMinutes.max ?? 0)
  })

  test.each([...taking, ...waiting])('%s lands none of it if the lowest breaks', (name) => {
    expect(simulateWith(name, stack({ breaks: true }))).toMatchObject({ merged: 1, failed: 1 })
  })

  test.each(['GitHub-like', 'Mergify-like', 'Zuul-like'])(
    '%s: all of it leaves with the lowest that flakes, and comes again with it',
    (name) => {
      const found = simulateWith(name, stack({ flakyRuns: [1] }))
      expect(found).toMatchObject({ merged: 4, failed: 0, healthyEvicted: 1 })
      expect(found.timeToLandMinutes.max).toBe(50)
    },
  )
})

const traffic = fc.record({
  seed: fc.integer({ min: 1, max: 1e6 }),
  queue: fc.record({
    concurrency: fc.integer({ min: 1, max: 6 }),
    batch: fc.boolean(),
    batchingMinSize: fc.integer({ min: 1, max: 5 }),
  }),
  suite: fc.constantFrom({ minutes: 10 }, { minutes: { median: 10, p95: 30 } } as const),
  traffic: fc.record({
    count: fc.integer({ min: 1, max: 40 }),
    arrivals: fc.record({ perHour: fc.integer({ min: 2, max: 60 }) }),
    breakRate: fc.constantFrom(0, 0.1, 0.4),
    conflictRate: fc.constantFrom(0, 0.1),
    // S-270: every strategy handles clashes by its own rules.
    clashRate: fc.constantFrom(0, 0.1),
    baseAge: fc.constantFrom(0, 60),
  }),
})

const flaking = { number: 2, flakeRate: 1 }

test.each([
  ['run', { suiteFlakes: { perRun: 1 } }, 0],
  ['run of a test', { suiteFlakes: { tests: [{ name: 'clock', rate: 1 }] } }, 0],
  ['run of one of them', { pullRequests: [{ number: 1 }, flaking, { number: 3 }] }, 2],
] as const)(
  'where every %s flakes, every strategy ends, and the others land',
  (_, flakes, lands) => {
    const scenario = scenarioOf({
      pullRequests: [{ number: 1 }, { number: 2 }, { number: 3 }],
      resubmit: { afterMinutes: 15 },
      ...flakes,
    })
    for (const { name, simulate } of strategies) {
      expect(simulate(scenario), name).toMatchObject({ merged: lands, failed: 3 - lands })
    }
  },
)

describe('given any traffic', () => {
  test('all pull requests end, main stays green, and runs stay within the slots', () => {
    const flaky = fc.record({ perRun: fc.constantFrom(0, 0.2) })
    const authors = fc.constantFrom({}, { resubmit: { afterMinutes: 30 } })
    // S-362: one that depends on one that has failed for good never ends.
    const shares = fc.constantFrom(0, 0.5)
    fc.assert(
      fc.property(traffic, flaky, authors, shares, (draft, suiteFlakes, again, share) => {
        const { count } = draft.traffic
        const stacked = { ...draft.traffic, stacks: { share } }
        for (const { name, simulate } of strategies) {
          const found = simulate(scenarioOf({ ...draft, traffic: stacked, suiteFlakes, ...again }))
          const ended = found.merged + found.failed
          const mayStay = share > 0 && found.failed > 0
          expect(mayStay ? ended <= count : ended === count, name).toBe(true)
          expect(found, name).toMatchObject({ badMerged: 0, brokenMainMinutes: 0 })
          // A queue of one slot that bisects needs a second.
          const least = name === 'Mergeyard' && draft.queue.batch ? 2 : 1
          expect(found.peakRuns, name).toBeLessThanOrEqual(Math.max(least, draft.queue.concurrency))
        }
      }),
      { numRuns: 25, seed: 1 },
    )
  })

  test('one at a time equals Mergeyard with one slot and no batches, to the millisecond', () => {
    fc.assert(
      fc.property(traffic, (draft) => {
        const single = {
          ...draft,
          queue: { concurrency: 1 },
          suiteFlakes: { perRun: 0.1 },
          // S-242, S-243: authors come again by the same rule.
          resubmit: { afterMinutes: 45 },
        }
        const { timeInQueueMinutes, timeToLandMinutes, totals } = simulated(single)
        const { merged, testRuns, testMinutes, healthyEvicted, clashed } = totals
        expect(simulateWith('one at a time', single)).toMatchObject({
          timeInQueueMinutes,
          timeToLandMinutes,
          merged,
          testRuns,
          testMinutes,
          healthyEvicted,
          clashed,
        })
      }),
      { numRuns: 25, seed: 3 },
    )
  })
})

describe('the references, which know what breaks', () => {
  test('oracle: each is tested once, none on top of the culprit', () => {
    const found = simulateWith('oracle', four)
    expect(found).toMatchObject({ testRuns: 4, merged: 3, ...within(10) })
  })

  test('oracle: it repeats a flaky run and evicts no pull request', () => {
    const flake: UnnamedScenario = { pullRequests: [{ number: 1, flakyRuns: [1] }] }
    const counted = { merged: 1, testRuns: 2, healthyEvicted: 0 }
    expect(simulateWith('oracle', flake)).toMatchObject(counted)
  })

  test('batching clairvoyant: a run holds all good ones that wait, each bad one costs a run', () => {
    const three: UnnamedScenario = {
      queue: { concurrency: 3 },
      suite: { minutes: 10 },
      pullRequests: pullRequests({ testMinutes: 30 }, { at: 1, breaks: true }, { at: 2 }),
    }
    const counted = { merged: 2, testRuns: 3, healthyEvicted: 0 }
    expect(simulateWith('batching clairvoyant', three)).toMatchObject(counted)
  })
})
