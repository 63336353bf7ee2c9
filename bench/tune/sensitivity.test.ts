import { describe, expect, test } from 'vitest'
import { trialWith } from './testing/trials.ts'
import type { Verdict, EffectResult } from './verdict.ts'
import {
  between,
  contestOf,
  distanceTo,
  leadOver,
  limitOf,
  luckOf,
  onAverage,
  surely,
} from './sensitivity.ts'
import type { SensitivityResult, TriedValue } from './sensitivity.ts'
import { measureFirstWords, sensitivityCells, changeWords } from './sentences.ts'

const today = trialWith({})
const optimistic = trialWith({ p95: 50 }, { set: { 'queue.canOptimisticallyMerge': true } })
const deeper = trialWith(
  { p95: 51 },
  { set: { 'queue.canOptimisticallyMerge': true, 'queue.pendingFailureDepth': 1 } },
)
const batches = trialWith({ p95: 70 }, { set: { 'queue.batch': true } })
const final = { rivals: [optimistic, deeper, batches], least: 0.1 }

const contest = (verdict: Verdict, rivals = final.rivals) =>
  contestOf(verdict, today, { ...final, rivals })

// S-232
describe('who is compared with whom', () => {
  const change: Verdict = {
    kind: 'change',
    because: 'better',
    tied: [],
    choice: optimistic,
    best: optimistic,
  }

  test("given advice to change, today's setting, and the best of another kind with some slack", () => {
    expect(contest(change)).toEqual({
      subject: optimistic,
      rivals: [
        { trial: today, slack: 0 },
        { trial: batches, slack: 0.1 },
      ],
    })
  })

  test('given no other kind, the best other setting', () => {
    expect(contest(change, [optimistic, deeper])?.rivals[1]?.trial).toBe(deeper)
  })

  test("given that today's setting is not allowed, it is no rival", () => {
    const forced = contest({ ...change, because: 'today is not allowed' })
    expect(forced?.rivals.map(({ trial }) => trial)).toEqual([batches])
  })

  test('given advice to keep, the best other setting, which must not be better by the least effect', () => {
    const keep: Verdict = { kind: 'keep', choice: today, best: deeper, tied: [] }
    expect(contest(keep)).toEqual({ subject: today, rivals: [{ trial: deeper, slack: 0.1 }] })
    expect(contest({ ...keep, best: today })?.rivals[0]?.trial).toBe(optimistic)
  })

  test('given that nobody can tell, nobody', () => {
    const unsure: Verdict = {
      kind: 'unsure',
      moreSeeds: 40,
      tied: [],
      choice: today,
      best: deeper,
    }
    expect(contest(unsure)).toBeNull()
  })

  test.each(['empty', 'always'] as const)('given the verdict %s, nobody', (kind) => {
    expect(contest({ kind, choice: today, best: optimistic, tied: [] })).toBeNull()
  })
})

// S-232
describe('the lead', () => {
  test('is that of the logarithms of the scores, with the slack besides', () => {
    const lead = leadOver(optimistic, { trial: today, slack: 0 }, 'time')
    expect(lead?.mean).toBeCloseTo(Math.log(2), 12)
    const behind = leadOver(today, { trial: optimistic, slack: 0.1 }, 'time')
    expect(behind?.mean).toBeCloseTo(Math.log(1.1) - Math.log(2), 12)
  })

  test('is surely less than on average', () => {
    const noisy = trialWith({ p95: 80 }, { own: 0.5 })
    const lead = leadOver(noisy, { trial: today, slack: 0 }, 'time')
    expect(lead?.surely).toBeLessThan(lead?.mean ?? NaN)
  })

  test('is unknown where nothing lands', () => {
    const none = trialWith({ p95: null, landed: 0 })
    expect(leadOver(today, { trial: none, slack: 0 }, 'time')).toBeNull()
  })
})

// S-232
test('the luck of the first seeds is the lead on them beyond that on all', () => {
  // The first five seeds of this setting are twice as fast, and the other five as fast as today's.
  const half = trialWith({}, { seeds: 10 })
  const runs = half.runs.map((run, index) => ({
    ...run,
    p95: (run.p95 ?? 0) / (index < 5 ? 2 : 1),
  }))
  const rival = { trial: trialWith({}, { seeds: 10 }), slack: 0 }
  const luck = luckOf({ ...half, runs }, rival, { preference: 'time', count: 5 })
  expect(luck).toBeCloseTo(Math.log(2) / 2, 12)
})

/** Values with a lead over one other setting; the interval is one below. */
const tried = (...leads: readonly (readonly [value: number, mean: number])[]): TriedValue[] =>
  leads.map(([value, mean]) => ({ value, leads: [{ mean, surely: mean - 1 }] }))

// S-232
describe('the limit of an assumption', () => {
  test('is where the lead is lost, on a straight line in the logarithm', () => {
    const limit = limitOf(tried([3, 2], [6, 1], [12, -1]), onAverage)
    expect(limit).toMatchObject({ inside: 6, outside: 12, over: 0 })
    expect(limit?.at).toBeCloseTo(6 * Math.SQRT2, 12)
  })

  test('is the first of several: a lead that comes back does not count', () => {
    const limit = limitOf(tried([3, 1], [6, -1], [12, 5]), onAverage)
    expect(limit).toMatchObject({ inside: 3, outside: 6 })
  })

  test('is nearer for what is sure than for what is so on average', () => {
    const points = tried([3, 3], [6, 2], [12, -2])
    expect(limitOf(points, surely)?.at).toBeCloseTo(6 * 2 ** 0.25, 12)
    expect(limitOf(points, onAverage)?.at).toBeCloseTo(6 * 2 ** 0.5, 12)
  })

  test('is none if the lead stays at all values tried', () => {
    expect(limitOf(tried([3, 2], [6, 1], [12, 0.5]), onAverage)).toBeNull()
  })

  test("is today's value if nothing is sure there", () => {
    expect(limitOf(tried([3, 0.5], [6, 2]), surely)).toMatchObject({ at: 3, inside: 3 })
  })

  test('names the setting that takes over first', () => {
    const lead = (mean: number) => ({ mean, surely: mean })
    const points = [
      { value: 1, leads: [lead(1), lead(3)] },
      { value: 2, leads: [lead(-1), lead(-1)] },
    ]
    expect(limitOf(points, onAverage)).toMatchObject({ over: 0 })
    expect(limitOf(points, onAverage)?.at).toBeCloseTo(Math.SQRT2, 12)
  })
})

test('the way to zero is straight, because zero has no logarithm', () => {
  expect(between(2, 8, 1 / 2)).toBeCloseTo(4, 12)
  expect(between(2, 0, 1 / 2)).toBe(1)
})

test('half and double are as far, and a rate of nothing is at a distance too', () => {
  expect(distanceTo(20, 10, 'min')).toBeCloseTo(distanceTo(5, 10, 'min'), 12)
  expect(distanceTo(2, 0, '% of runs')).toBeCloseTo(Math.log(5), 12)
  expect(distanceTo(0.2, 0, '% of pairs')).toBeCloseTo(Math.log(5), 12)
})

const flakes: SensitivityResult = {
  name: 'flakes',
  unit: '% of runs',
  today: 3,
  tried: [0, 0.75, 1.5, 3, 6, 12],
  surely: { low: null, high: 3.2 },
  onAverage: { low: null, high: 4 },
  isMadeUp: true,
  beyond: { low: null, high: 'no batches' },
  times: 1.29,
}

const runs: SensitivityResult = {
  ...flakes,
  name: 'run length',
  unit: 'min',
  today: 15,
  tried: [3.75, 60],
  surely: { low: 12, high: 20 },
  onAverage: { low: 10, high: 25 },
  beyond: { low: "today's setting", high: 'no batches' },
  times: 1.5,
}

const arrivals: SensitivityResult = {
  ...flakes,
  name: 'arrivals',
  unit: 'an hour',
  today: 15,
  tried: [3.75, 60],
  surely: { low: 9, high: null },
  onAverage: { low: null, high: null },
  beyond: { low: null, high: null },
  times: null,
}

// S-232
test('the nearest limit that is made up is measured first', () => {
  expect(measureFirstWords([flakes, runs])).toBe(
    'Measure the share of flakes first: above 4 % no batches is better (here it is 3 %).',
  )
  expect(measureFirstWords([{ ...flakes, isMadeUp: false }, runs])).toBe(
    "Measure the run length first: below 10 min today's setting is better (here it is 15 min).",
  )
  expect(measureFirstWords([arrivals])).toBeNull()
})

test('a row tells both limits, what was tried, and who takes over', () => {
  expect(sensitivityCells(flakes)).toEqual([
    'flakes',
    { text: '3 % of runs', value: 3 },
    ...['up to 4 %', 'up to 3.2 %'],
    { text: '1.29 times', value: 1.29 },
    ...['0 to 12 %', 'above 4 %: no batches'],
  ])
  expect(sensitivityCells({ ...arrivals, isMadeUp: false })).toEqual([
    'arrivals, from the history',
    { text: '15 an hour', value: 15 },
    ...['at any value tried', 'from 9 an hour', 'none found'],
    ...['3.75 to 60 an hour', ''],
  ])
  const bothSides = { ...runs, beyond: { low: 'no batches', high: 'no batches' } }
  expect(sensitivityCells(bothSides).at(-1)).toBe('on both sides: no batches')
})

const seeds = 40
const size = (mean: number, low: number, high: number): EffectResult['size'] => ({
  kind: 'interval',
  mean,
  low,
  high,
  seeds,
})

test('a ratio is a percentage, a difference has the unit of its figure', () => {
  const verdict = { kind: 'do' } as const
  expect(changeWords('p95', { measure: 'ratio', size: size(0.55, 0.51, 0.6), verdict })).toBe(
    '45 % less (40 to 49)',
  )
  expect(changeWords('evicted', { measure: 'difference', size: size(3.2, 2, 4), verdict })).toBe(
    '3.2 more (2 to 4)',
  )
  expect(changeWords('broken', { measure: 'difference', size: size(-6, -8, -4), verdict })).toBe(
    '6 min less (4 to 8)',
  )
})

test('an effect that may be none, or is too small to matter, says so', () => {
  const open = { kind: 'cannot tell', moreSeeds: 20 } as const
  expect(changeWords('p95', { measure: 'ratio', size: size(0.95, 0.8, 1.1), verdict: open })).toBe(
    'cannot tell: 5 % less (20 less to 10 more)',
  )
  const none = { kind: 'no difference' } as const
  expect(
    changeWords('p95', { measure: 'ratio', size: size(0.95, 0.92, 0.98), verdict: none }),
  ).toBe('no difference: 5 % less (2 to 8)')
  const same = { kind: 'always', value: 1, seeds } as const
  expect(changeWords('p95', { measure: 'ratio', size: same, verdict: none })).toBe('the same')
  expect(changeWords('p95', null)).toBe('nothing landed')
})
