import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { PullRequestEntry, Scenario, Traffic } from '../scenario/scenario.ts'
import { drawsOf } from '../random/draw.ts'
import { properties } from '../properties/index.ts'
import { loadScenario } from '../scenario/load.ts'
import { endsOf, simulated, violated, pullRequests } from '../testing/simulated.ts'
import { KnownTruth } from './truth.ts'
import { Clashes, TextConflicts, type Presence } from './clashes.ts'
import { arrivalsOf } from './traffic.ts'
import { World } from './world.ts'

function truthOf(...entries: readonly PullRequestEntry[]): KnownTruth {
  const truth = new KnownTruth()
  for (const entry of entries) truth.learn(entry)
  return truth
}

describe('a branch', () => {
  test('is broken by a pair only if it contains both, below or on top', () => {
    const truth = truthOf({ number: 1 }, { number: 3, breaksWith: [1] })
    const branch = truth.emptyBranch()
    expect(branch.wouldBreak([3])).toBe(false)
    expect(branch.culprits([1, 3])).toEqual([1, 3])
    branch.add(1)
    expect(branch.wouldBreak([3])).toBe(true)
    expect(branch.wouldBreak([])).toBe(false)
  })

  test('is repaired by a fix of a pull request that breaks, or of either one of a pair', () => {
    const truth = truthOf(
      { number: 2, breaks: true },
      { number: 3, breaksWith: [4] },
      { number: 5, fixes: [2, 4] },
    )
    const branch = truth.emptyBranch()
    branch.add(2)
    expect(branch.wouldBreak([5])).toBe(false)
    expect(branch.wouldBreak([3, 4])).toBe(true)
    branch.add(5)
    expect(branch.isBroken).toBe(false)
    expect(branch.wouldBreak([3, 4])).toBe(false)
  })

  test('answers for its state some commits ago', () => {
    const truth = truthOf(
      { number: 1 },
      { number: 2, breaksWith: [1] },
      { number: 3, breaks: true },
    )
    const branch = truth.emptyBranch()
    branch.addForeign()
    branch.add(1)
    branch.add(3)
    expect(branch.length).toBe(3)
    expect(branch.wouldBreak([2], 1)).toBe(false)
    expect(branch.wouldBreak([2], 2)).toBe(true)
    expect(branch.wouldBreak([], 2)).toBe(false)
    expect(branch.wouldBreak([], 3)).toBe(true)
    // A pull request that has merged since is tested on top of the older state.
    expect(branch.culprits([3], 1)).toEqual([3])
  })

  test('holds what was added, and counts a second commit of the same pull request', () => {
    const branch = truthOf({ number: 1, breaks: true }).emptyBranch()
    branch.add(1)
    branch.add(1)
    expect([branch.holds(1), branch.holds(2), branch.length]).toEqual([true, false, 2])
    expect(branch.culprits([1])).toEqual([1])
  })
})

test('text conflicts are symmetric', () => {
  const truth = truthOf({ number: 4 }, { number: 5, conflictsWith: [4] })
  expect([truth.conflict(4, 5), truth.conflict(5, 4), truth.conflict(4, 4)]).toEqual([
    true,
    true,
    false,
  ])
})

const first = 1001
const samples = 20_000

/** The share that clashes with any of the others, with `inFlight` in the queue all the time. */
function shareThatClashes(
  traffic: Traffic,
  inFlight: number,
  targetsOf: (number: number) => Pick<PullRequestEntry, 'targets'> = () => ({}),
): number {
  const clashes = new Clashes({ ...traffic, baseAge: 0 }, drawsOf(1))
  let found = 0
  for (let number = first; number < first + samples; number++) {
    clashes.left(number - inFlight, number)
    if (clashes.of({ number, ...targetsOf(number) }, number).length > 0) found++
  }
  return found / samples
}

const uber = loadScenario(
  fileURLToPath(new URL('../../../scenarios/changes-that-clash.json', import.meta.url)),
)

// S-270
describe('the share of pull requests that clash with any of those in flight', () => {
  test.each([2, 4, 8, 16])('is 1 - (1 - c)^(n - 1) with %i in flight', (inFlight) => {
    const share = shareThatClashes({ clashRate: 0.035 }, inFlight)
    expect(Math.abs(share - (1 - 0.965 ** (inFlight - 1)))).toBeLessThan(0.01)
  })

  test('is within 3 points of what Uber measured, where all touch the same part', () => {
    const { traffic = {} } = uber
    expect(Math.abs(shareThatClashes(traffic, 2) - 0.05)).toBeLessThan(0.03)
    expect(Math.abs(shareThatClashes(traffic, 16) - 0.4)).toBeLessThan(0.03)
  })

  test('is smaller without a common target', () => {
    // The other one in flight shares a target in one of four cases.
    const targetsOf = (number: number) => ({
      targets: [`target ${Math.floor(number / 4) % 4 === 3 ? 0 : number}`],
    })
    const clashRate = { rate: 0.2, across: 0.04 }
    const share = (3 / 16) * 0.2 + (13 / 16) * 0.04
    expect(shareThatClashes({ clashRate }, 2, targetsOf)).toBeCloseTo(share, 2)
    expect(shareThatClashes({ clashRate: 0.2 }, 2, targetsOf)).toBeCloseTo((3 / 16) * 0.2, 2)
  })
})

/** Whom 1002 clashes with, if 1001 is evicted or merged at minute 10 and 1002 comes at minute 30. */
function clashesOf(baseAge: number, left: 'MERGED' | 'FAILED'): number[] {
  const clashes = new Clashes({ clashRate: 1, baseAge }, drawsOf(1))
  clashes.of({ number: first }, 0)
  clashes.left(first, 10 * 60_000)
  if (left === 'FAILED') clashes.submitted(first)
  return clashes.of({ number: first + 1 }, 30 * 60_000)
}

// S-270
describe('a pull request that was written some time ago', () => {
  test('can clash with what landed since, and with nothing that landed before', () => {
    expect(clashesOf(25, 'MERGED')).toEqual([first])
    expect(clashesOf(15, 'MERGED')).toEqual([])
  })

  test('knows what landed before, also while an earlier one is still in the queue', () => {
    const clashes = new Clashes({ clashRate: 1, baseAge: 15 }, drawsOf(1))
    for (const number of [first, first + 1]) clashes.of({ number }, 0)
    clashes.left(first + 1, 10 * 60_000)
    expect(clashes.of({ number: first + 2 }, 30 * 60_000)).toEqual([first])
  })

  test('can clash with one that was evicted and came again', () => {
    expect(clashesOf(0, 'FAILED')).toEqual([first])
  })

  test('looks back no further than what is in flight, however long the stream', () => {
    const draw = drawsOf(1)
    let draws = 0
    const counted = {
      ...draw,
      tries: (...all: Parameters<typeof draw.tries>) => {
        draws++
        return draw.tries(...all)
      },
    }
    const clashes = new Clashes({ clashRate: 0.02, baseAge: 50 / 60_000 }, counted)
    const drawsOfNext = (count: number, from: number): number => {
      draws = 0
      for (let number = from; number < from + count; number++) {
        clashes.left(number - 50, number)
        clashes.of({ number }, number)
      }
      return draws / count
    }
    expect(drawsOfNext(400, first)).toBeLessThan(4)
    expect(drawsOfNext(9600, first + 400)).toBeLessThan(4)
  })
})

// S-270
describe('a pull request that clashes with one ahead', () => {
  const pair: Partial<Scenario> = {
    queue: { concurrency: 2 },
    pullRequests: [{ number: 1 }, { number: 2, at: 1, clashesWith: [1] }],
  }

  test('fails, and lands when its author has adapted it', () => {
    expect(endsOf(simulated(pair))).toEqual({ 1: 'MERGED', 2: 'FAILED' })
    const result = simulated({ ...pair, resubmit: { afterMinutes: 30 } })
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'MERGED' })
    expect(result.totals).toMatchObject({ clashed: 1, healthyEvicted: 0, cameAgain: 1 })
    expect(violated(result)).toEqual([])
  })

  test('fails again if it comes again before the other has landed', () => {
    const result = simulated({
      queue: { concurrency: 2, state: 'PAUSED' },
      pullRequests: [{ number: 1 }, { number: 2, clashesWith: [1] }],
      events: [
        { at: 1, do: 'cancel', number: 2 },
        { at: 2, do: 'submit', number: 2 },
        { at: 3, do: 'updateQueue', set: { state: 'RUNNING' } },
      ],
    })
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'FAILED' })
  })

  test('was right to fail, though it is judged only when its author has adapted it', () => {
    const result = simulated(
      {
        queue: { mode: 'parallel' },
        pullRequests: [
          { number: 1, targets: ['a'], testMinutes: 200 },
          { number: 2, targets: ['b'] },
          { number: 3, at: 1, targets: ['b'], clashesWith: [2] },
        ],
        resubmit: { afterMinutes: 30 },
      },
      { properties },
    )
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'MERGED', 3: 'MERGED' })
    expect(violated(result)).toEqual([])
  })

  test('never lands while breaksWith says that it breaks', () => {
    const { pullRequests: _, ...rest } = pair
    const listed = [{ number: 1 }, { number: 2, at: 1, breaksWith: [1] }]
    const result = simulated({ ...rest, pullRequests: listed, resubmit: { afterMinutes: 30 } })
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'FAILED' })
    expect(result.totals).toMatchObject({ clashed: 1, cameAgain: 0 })
  })
})

// S-270
test('listed pull requests clash at the rate too', () => {
  const result = simulated({
    queue: { concurrency: 2 },
    pullRequests: [{ number: 7 }, { number: 3, at: 1 }],
    traffic: { count: 0, clashRate: 1 },
  })
  expect(endsOf(result)).toEqual({ 3: 'FAILED', 7: 'MERGED' })
  expect(violated(result)).toEqual([])
})

// S-47
test('a clash across lanes counts as one also if a batch had all targets until a member left', () => {
  const result = simulated(
    {
      queue: { mode: 'parallel', batch: true, tipTestMode: 'always' },
      pullRequests: [
        { number: 1, targets: 'ALL' },
        { number: 2, targets: ['api'] },
        { number: 3, breaks: true },
        { number: 4, at: 10, targets: ['web'], clashesWith: [2] },
      ],
      events: [
        { number: 3, do: 'manualMerge' },
        { at: 80, do: 'cancel', number: 1 },
      ],
    },
    { properties },
  )
  expect(endsOf(result)).toMatchObject({ 2: 'MERGED', 4: 'MERGED' })
  expect(result.totals.laneClashes).toBe(1)
  expect(violated(result)).toEqual([])
})

// S-271
test('a clash that no run saw breaks the branch, until somebody mends it', () => {
  const result = simulated({
    queue: { concurrency: 2, mode: 'parallel' },
    pullRequests: pullRequests({ targets: ['a'] }, { targets: ['b'], clashesWith: [1] }),
    mend: { afterMinutes: 45 },
  })
  expect(result.totals).toMatchObject({ badMerged: 1, brokenMainMinutes: 45, laneClashes: 1 })
  expect(result.totals.unprovenMerges.disjointTargets).toBe(1)
})

// S-270
describe('a world without clashes', () => {
  const plain: Scenario = {
    name: 'plain',
    traffic: { count: 50, breakRate: 0.1, conflictRate: 0.05, targets: { names: ['a', 'b'] } },
    suite: { minutes: { median: 15, p95: 40 }, per: 'pullRequest' },
  }

  test('draws what it drew before clashes could be given', () => {
    const draw = drawsOf(1)
    const { lengths } = new World(plain, draw)
    const drawn = [...arrivalsOf(plain, draw)].map((arrival) => {
      return [arrival, lengths.ofPullRequest(arrival.entry.number)]
    })
    const hash = createHash('sha256').update(JSON.stringify(drawn)).digest('hex')
    expect(hash).toBe('4da933cfe1f6d5e7de5b762b41d4fe9c4f7ccbed4cdde4846ece495fb0cdaa72')
  })

  test('has the same trace with the rate 0 as without a rate', () => {
    const without = simulated(plain)
    const traffic = { ...plain.traffic, clashRate: 0, baseAge: { median: 60, p95: 600 } }
    expect(simulated({ ...plain, traffic }).traceHash).toBe(without.traceHash)
    const clashing = { ...traffic, clashRate: 0.2 }
    expect(simulated({ ...plain, traffic: clashing }).traceHash).not.toBe(without.traceHash)
  })
})

// S-65
const allInQueue: Presence = () => 'in the queue'

/** The pairs among generated pull requests up to `last`. */
function pairs(rate: number, last: number, presenceOf: Presence): string[] {
  const conflicts = new TextConflicts(rate, drawsOf(1))
  const found: string[] = []
  for (let number = 1001; number <= last; number++) {
    found.push(...conflicts.of(number, presenceOf).map((other) => `${other}-${number}`))
  }
  return found
}

describe('text conflicts among generated pull requests', () => {
  test('have the same chance for each pair', () => {
    const found = pairs(0.1, 1200, allInQueue)
    expect(found.length / ((200 * 199) / 2)).toBeCloseTo(0.1, 2)
    expect(new Set(found).size).toBe(found.length)
  })

  test('are none at rate 0, and all at rate 1', () => {
    expect(pairs(0, 1100, allInQueue)).toEqual([])
    expect(pairs(1, 1004, allInQueue)).toEqual([
      '1001-1002',
      '1002-1003',
      '1001-1003',
      '1003-1004',
      '1002-1004',
      '1001-1004',
    ])
  })

  test('disappear with a pull request that has left, and the others stay the same', () => {
    const isGone = (number: number): boolean => number % 3 === 0 || number < 1050
    const found = pairs(0.2, 1100, (number) => (isGone(number) ? 'gone' : 'in the queue'))
    const expected = pairs(0.2, 1100, allInQueue).filter(
      (pair) => !isGone(Number(pair.split('-')[0])),
    )
    expect(found).toEqual(expected)
  })
})
