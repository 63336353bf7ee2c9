import { describe, expect, test } from 'vitest'
import { overCores, type Spread } from '../../sim/campaign/over-cores.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { eventsIn } from '../tune/runner.ts'
import { parted } from '../../sim/world/history.ts'
import { candidatesOf, capacityOf, measured } from './capacity.ts'
import { capacityWorker, loadOf, mostLeft, type CapacityAnswer } from './capacity-worker.ts'
import { documentOf, todayName, againstText, answerOf, bindsClause, isText } from './document.ts'
import type { CapacityRequest } from './document.ts'
import { atLoad, leftOver } from './load.ts'

/** Six pull requests an hour, each as long as ten minutes. */
const stream = (queue: NonNullable<Scenario['queue']>): Scenario => ({
  name: 'stream',
  queue: { policy: 'documented', ...queue },
  suite: { minutes: 10 },
  traffic: { count: 10, arrivals: { everyMinutes: 10 } },
})

const { signal } = new AbortController()
const bench = { spread: overCores, note: () => '', stderr: process.stderr, signal }

/** One seed, within so many seconds, unless something else is said. */
const searchOf = (
  scenario: Scenario,
  seconds: number,
  more: Partial<CapacityRequest> = {},
): CapacityRequest => ({
  scenario,
  unseen: null,
  seeds: [1],
  limitMinutes: 480,
  budget: { text: `${seconds}s`, seconds },
  ...more,
})

function headroomIn(
  scenario: Scenario,
  { limitMinutes = 480, eventsAtMost = Infinity, eventsInAll = Infinity } = {},
): CapacityAnswer {
  return capacityWorker({ scenario, changes: [], seed: 1, limitMinutes, eventsAtMost, eventsInAll })
}

// S-330
describe('a queue of which the answer is known', () => {
  const cases = [
    { name: 'one at a time: 1 / E[S]', queue: { concurrency: 1 }, expected: 1 },
    { name: 'k slots without failures: k / E[S]', queue: { concurrency: 3 }, expected: 3 },
    {
      name: 'a serial line of k slots with batches of n: k n / E[S]',
      queue: { concurrency: 2, batch: true, batchingMinSize: 3 },
      expected: 6,
    },
    {
      name: 'one at a time, with runs of 5 to 15 minutes: 1 / E[S]',
      queue: { concurrency: 1 },
      expected: 1,
      minutes: { uniform: [5, 15] } as const,
    },
  ]
  test.each(cases)('given $name, finds it', ({ queue, expected, minutes = 10 }) => {
    const { low, high, endedBy, binding } = headroomIn({ ...stream(queue), suite: { minutes } })
    expect({ endedBy, binding }).toEqual({ endedBy: 'trend', binding: 'slots' })
    expect((low ?? NaN) * (1 - mostLeft)).toBeLessThanOrEqual(expected)
    expect(high).toBeGreaterThanOrEqual(expected)
    expect((high ?? NaN) / (low ?? NaN)).toBeLessThan(1.03)
  })

  test('given a limit below the length of a run, does not keep up at any load', () => {
    const { points, ...found } = headroomIn(stream({ concurrency: 3 }), { limitMinutes: 5 })
    const binding = 'the length of a run'
    expect(found).toMatchObject({ low: null, high: 0.0625, endedBy: 'limit', binding })
    expect(points.every(({ keepsUp, left }) => !keepsUp && left <= mostLeft)).toBe(true)
  })

  // S-332
  test('given that every third one fails, names the breaks and not the slots', () => {
    const scenario = stream({ concurrency: 8 })
    const breaking = { ...scenario.traffic, breakRate: 0.33 }
    expect(headroomIn({ ...scenario, traffic: breaking }).binding).toBe('breaks')
  })

  // S-390
  test('given fewer events than the search takes, says between which loads it ends so far', () => {
    const scenario = stream({ concurrency: 3 })
    const whole = headroomIn(scenario)
    expect(whole.isCutOff).toBe(false)
    const eventsAtMost = whole.events / 2
    const some = headroomIn(scenario, { eventsAtMost })
    expect(some).toMatchObject({ isCutOff: true, endedBy: 'trend', binding: null })
    expect(some.events).toBeLessThan(1.1 * eventsAtMost)
    expect(some.low).toBeLessThan(whole.low ?? NaN)
    expect(some.high).toBeGreaterThanOrEqual(whole.high ?? NaN)
    const least = headroomIn(scenario, { eventsAtMost: 1 })
    expect(least).toMatchObject({ low: loadOf(16), high: null, binding: null, isCutOff: true })
    expect(least.points).toHaveLength(2)
  })
})

test.each([
  ['slots', 3, 'slots bind'],
  ['the serial line', 3, 'the serial line binds'],
  ['breaks', 2, 'breaks bind (2 of 3 seeds)'],
  ['several at once', 3, 'several things bind at once'],
] as const)('that %s in %i of 3 seeds is told as a clause', (what, seeds, clause) => {
  expect(bindsClause({ binds: [{ what, seeds }] }, 3)).toBe(clause)
  expect(bindsClause({ binds: [] }, 3)).toBe('nothing binds up to the highest load')
})

test('what keeps up at every load that was tried has no interval', () => {
  const headroom = { kind: 'seen', mean: 64, least: 58, most: 70, seeds: 5 } as const
  expect(isText({ headroom, openEnds: 5, curve: [] })).toBe('at least 64')
  expect(isText({ headroom, openEnds: 4, curve: [] })).toBe('at least 58 to 70')
  expect(isText({ headroom, openEnds: 0, curve: [] })).toBe('at 58 to 70')
})

test('against what keeps up everywhere only one end of the ratio is known, or none', () => {
  const size = { kind: 'interval', mean: 1.9, low: 1.8, high: 2, seeds: 12 } as const
  const against = (own: number, todays: number): string =>
    againstText({ againstToday: { measure: 'ratio', size }, openEnds: own }, { openEnds: todays })
  expect(against(0, 0)).toBe('x 1.9 (1.8 to 2)')
  expect(against(12, 0)).toBe('at least x 1.8')
  expect(against(0, 12)).toBe('at most x 2')
  expect(against(3, 12)).toBe('not known')
})

// S-331
describe('more pull requests', () => {
  const day = 1440
  const history: Scenario = {
    name: 'history',
    pullRequests: Array.from({ length: 28 * 24 }, (_, index) => ({
      number: index + 1,
      // An hour of rest at night, so that days can be told apart.
      at: Math.floor(index / 24) * day + (index % 24) * 59,
      ...(index % 24 === 3 ? { conflictsWith: [index] } : {}),
    })),
  }

  test('of a history come on the same days, and nobody has the number of another', () => {
    const half = atLoad(history, 0.5, 1).scenario.pullRequests ?? []
    const today = atLoad(history, 1, 1).scenario.pullRequests ?? []
    const more = atLoad(history, 2.5, 1).scenario.pullRequests ?? []
    const numbersOf = (entries: typeof more): number[] => entries.map(({ number }) => number)
    expect(today).toHaveLength(14 * 24)
    expect(half.length / today.length).toBeCloseTo(0.5, 1)
    expect(more.length / today.length).toBeCloseTo(2.5, 1)
    expect(new Set(numbersOf(more)).size).toBe(more.length)
    // Who comes at half the load comes at every higher one.
    expect(numbersOf(today)).toEqual(expect.arrayContaining(numbersOf(half)))
    expect(more.slice(0, today.length)).toEqual(today)
    const last = Math.max(...more.map(({ at = 0 }) => at))
    expect(last).toBeLessThan(14 * day + 60)
    const numbers = new Set(numbersOf(more))
    const related = more.flatMap(({ conflictsWith = [] }) => conflictsWith)
    expect(related.length).toBeGreaterThan(14)
    expect(related.every((number) => numbers.has(number))).toBe(true)
  })

  test('of a stream are the same ones, closer together', () => {
    const { scenario } = atLoad(stream({}), 4, 7)
    expect(scenario).toMatchObject({
      seed: 7,
      traffic: { count: 2400, arrivals: { everyMinutes: 2.5 } },
    })
  })
})

// S-330
test.each<[string, number | null, (index: number) => number, number]>([
  ['fills by day and empties by night', 40 * 60, (index) => (index % 40) * 5, 0],
  ['keeps one of ten', 40 * 60, (index) => index / 10, 0.1],
  ['keeps one of ten, where hours are alike', null, (index) => index / 10, 0.1],
  ['fills in the first hour', null, (index) => Math.min(index, 60), 0],
])('a queue that %s is left with that share', (_case, dayMs, openAt, share) => {
  const samples = Array.from({ length: 400 }, (_, index) => ({
    at: index * 60,
    open: openAt(index),
  }))
  expect(leftOver(samples, dayMs)).toBeCloseTo(share)
})

// S-335
test('a history of which the end is kept apart, is asked there too whether the setting helps', async () => {
  const weekly = Array.from({ length: 35 * 24 }, (_, index) => ({
    number: index + 1,
    at: index * 60,
  }))
  const history: Scenario = {
    name: 'hourly',
    queue: { concurrency: 1, policy: 'documented' },
    suite: { minutes: 40 },
    pullRequests: weekly,
    keptApartFrom: 24 * 1440,
  }
  const { seen, unseen } = parted(history)
  const document = await capacityOf(searchOf(seen, 1, { unseen }), bench)
  expect(document?.unseen).toMatchObject({ pullRequests: 11 * 24 })
  expect(document?.assumptions).toContain(
    'The last 264 pull requests are kept apart, and the advice is only tried on them.',
  )
  expect(document?.unseen?.rows.map(({ name }) => name)).toEqual([
    'adaptive, as proposed',
    "today's setting",
  ])
  expect(document && answerOf(document).slice(-2).join('\n')).toMatch(
    /^On the 264 pull requests that were kept apart the setting "[^"]+" would have helped: at least [\d.]+ instead of 1\.[45]\d* to 1\.5\d*, at least x [\d.]+\.\nFewer than 5 seeds are too few to be sure of a difference: a larger --budget measures more\.$/,
  )
})

// S-390
describe('a budget', () => {
  const within = (seconds: number, more: Partial<CapacityRequest> = {}) =>
    measured(searchOf(stream({ concurrency: 1 }), seconds, { seeds: [1, 2, 3], ...more }), bench)
  const secondsOf = (answers: readonly CapacityAnswer[]): number =>
    answers.reduce((sum, { events }) => sum + events, 0) / eventsIn({ text: '1s', seconds: 1 })

  test('is enough for as many seeds as the first one lets expect', async () => {
    const only = { only: [todayName] }
    const { rounds } = await within(1000, only)
    expect(rounds).toHaveLength(3)
    const one = secondsOf(rounds[0] ?? [])
    expect((await within(2.9 * one, only)).rounds).toEqual(rounds.slice(0, 2))
  })

  test('ends within the first seed, and what is measured by then is known', async () => {
    const found = await within(0.3)
    expect(secondsOf(found.rounds.flat())).toBeLessThan(0.6)
    expect(answerOf(documentOf(found)).slice(-2)).toEqual([
      'Not measured with a budget of 0.3s: adaptive, as proposed, two more slots, a suite a third shorter.',
      'The budget of 0.3s ended the search early for every setting: the intervals are wide, or what binds is not known.',
    ])
  })
})

// S-390
describe('given that each run flakes, and who is evicted comes again and again', () => {
  const storm: Scenario = {
    ...stream({ concurrency: 3 }),
    suiteFlakes: { perRun: 1 },
    resubmit: { afterMinutes: 15 },
  }

  test('no simulation goes on beyond the budget, and what is left over is known once all have come', () => {
    const eventsInAll = 200_000
    const ended = headroomIn(storm, { eventsAtMost: 1, eventsInAll })
    expect(ended.events).toBeLessThan(2.1 * eventsInAll)
    expect(ended).toMatchObject({ low: null, high: loadOf(-16), endedBy: 'trend', isCutOff: true })
    expect(ended.points.map(({ p95 }) => p95)).toEqual([null, null])
    const soon = headroomIn(storm, { eventsAtMost: 1, eventsInAll: 1_000 })
    expect(soon).toMatchObject({ points: [], low: null, high: null, isCutOff: true })
  })

  test('the answer says that nothing is known where not even one load was simulated', async () => {
    const search = searchOf(storm, 0.1, { only: [todayName] })
    expect(answerOf(documentOf(await measured(search, bench)))).toEqual([
      "Whether you keep up is not known: the budget of 0.1s ended the simulation of today's pull requests early.",
      'The budget of 0.1s ended the search early for every setting: the intervals are wide, or what binds is not known.',
    ])
  })
})

// S-333
describe('what is compared', () => {
  test('given a stream without flakes and breaks, leaves out to halve them', () => {
    const names = candidatesOf(stream({ concurrency: 1 })).map(({ name }) => name)
    expect(names).toEqual([
      "today's setting",
      'adaptive',
      'adaptive, as proposed',
      'two more slots',
      'a suite a third shorter',
    ])
  })

  test('given one at a time, the answer says where it ends, and that slots help most', async () => {
    const scenario = {
      ...stream({ concurrency: 1 }),
      traffic: { count: 10, arrivals: { everyMinutes: 15 } },
      prices: { ciMinute: 1 },
    }
    const only = [todayName, 'adaptive, as proposed', 'two more slots']
    const document = documentOf(await measured(searchOf(scenario, 12, { only }), bench))
    expect(document).toMatchObject({
      seeds: 1,
      pricedAt: loadOf(16),
      isInterrupted: false,
      perHour: 4,
    })
    const [today, , bought] = answerOf(document)
    expect(today).toMatch(
      /^At 1\.5\d? to 1\.5\d times today's pull requests, 6\.\d+ an hour, you no longer keep up/,
    )
    expect(today).toContain('What binds is slots.')
    expect(bought).toBe(
      "With two more slots and today's setting it is at 4.46 to 4.56; after that, slots bind.",
    )
    const slots = document.rows.find(({ name }) => name === 'two more slots')
    expect(slots?.headroom).toMatchObject({ kind: 'seen', seeds: 1 })
    // A run of ten minutes for each that lands, whatever the setting; with a batch it is less.
    const prices = document.rows.map(({ price }) => price ?? Infinity)
    expect(Math.max(...prices)).toBe(10)
  })

  test('given a queue that keeps up at no load, says what does', async () => {
    const only = [todayName, 'two more slots', 'a suite a third shorter']
    const search = searchOf(stream({ concurrency: 3 }), 6, { only, limitMinutes: 8 })
    const [today, setting, bought] = answerOf(documentOf(await measured(search, bench)))
    expect([today, setting]).toEqual([
      "You do not keep up even at 0.06 times today's pull requests, the least that was tried: p95 to land is above 8 minutes. What binds is the length of a run.",
      'No other setting surely keeps up with more.',
    ])
    expect(bought).toMatch(/^With a suite a third shorter and today's setting it is at \d/)
  })

  test('given that everything breaks, says that nothing lands', async () => {
    const scenario = { ...stream({ concurrency: 1 }), traffic: { count: 10, breakRate: 1 } }
    const search = searchOf(scenario, 1, { only: [todayName] })
    const [today] = answerOf(documentOf(await measured(search, bench)))
    expect(today).toMatch(/^You do not keep up even at .*: nothing lands\. What binds/)
  })

  // S-332
  test('given a queue that keeps up with some of the seeds only, the headroom is from 0 on', async () => {
    const scenario = {
      ...stream({ concurrency: 1000, testingTimeoutMinutes: 1000 }),
      suite: { minutes: { median: 10, p95: 24 } },
    }
    const more = { seeds: [1, 2, 3], only: [todayName], limitMinutes: 24 }
    const found = await measured(searchOf(scenario, 60, more), bench)
    const lows = found.rounds.flat().map(({ low }) => low)
    expect(lows).toContain(null)
    expect(Math.max(...lows.map((low) => low ?? 0))).toBeGreaterThan(0)
    const document = documentOf(found)
    expect(document.rows[0]?.headroom).toMatchObject({ kind: 'seen', least: 0, seeds: 3 })
    expect(answerOf(document)[0]).toMatch(/^At 0 to 0\.\d+ times today's pull requests/)
  })

  test('given an interrupt in the first round, says what is known, and what is not', async () => {
    const interrupt = new AbortController()
    const spread: Spread = async (work) => {
      const given: (() => void)[] = []
      const tasks = [...work.tasks].slice(0, 3)
      const onAnswer: typeof work.onAnswer = (answer) => given.push(() => work.onAnswer(answer))
      await overCores({ ...work, tasks, onAnswer })
      for (const [index, give] of given.entries()) {
        // As over cores, the last one may be of a later task.
        if (index === 2) interrupt.abort()
        give()
      }
    }
    const interruptible = { ...bench, spread, signal: interrupt.signal }
    const search = searchOf(stream({ concurrency: 1 }), 20)
    const document = documentOf(await measured(search, interruptible))
    expect(document.rows.map(({ name }) => name).toSorted()).toEqual([
      'adaptive',
      "today's setting",
    ])
    const [today, ...others] = answerOf(document)
    expect(today).toMatch(/^At 1 to 1\.02 times today's pull requests/)
    expect(others).toEqual([
      'Not measured before the interrupt: adaptive, as proposed, two more slots, a suite a third shorter.',
    ])
  })
})
