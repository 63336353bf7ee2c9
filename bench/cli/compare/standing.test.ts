import { expect, test } from 'vitest'
import { type ComparedFigures, figuresOfPolicy } from '../../queues/figures.ts'
import { goalsText, standingsOf } from '../compare-everywhere.ts'
import { type JudgedPlace, judgedOf } from '../../compare/judge-place.ts'

const minute = 60_000

type Run = { readonly p95: number; readonly ci: number; readonly evicted: number }

/** Ten pull requests land in a run. */
const run = ({ p95, ci, evicted }: Run): ComparedFigures =>
  figuresOfPolicy({
    timesInQueue: Array.from({ length: 10 }, () => p95 * minute),
    timesToLand: Array.from({ length: 10 }, () => p95 * minute),
    failed: 0,
    testRuns: 10,
    testMs: 10 * ci * minute,
    healthyEvicted: evicted,
    clashed: 0,
    heldBack: 0,
    badMerged: 0,
    brokenMainMs: 0,
    peakRuns: 1,
  })

/** Eight seeds that differ a little. */
const runsOf = (strategy: string, { p95, ci, evicted }: Run) => ({
  ...{ strategy, setting: null, isReference: false },
  runs: Array.from({ length: 8 }, (_, seed) =>
    run({ p95: p95 + (seed % 3) / 10, ci: ci + (seed % 2) / 10, evicted }),
  ),
})

const judged = judgedOf({
  own: runsOf('own', { p95: 30, ci: 15, evicted: 1 }),
  others: [
    runsOf('faster and dearer', { p95: 20, ci: 25, evicted: 1 }),
    runsOf('cheaper', { p95: 30, ci: 10, evicted: 1 }),
    runsOf('worse', { p95: 60, ci: 30, evicted: 4 }),
  ],
  clairvoyant: runsOf('clairvoyant', { p95: 10, ci: 14, evicted: 0 }),
})
const place: JudgedPlace = { scenario: 'town', lengths: 'run', best: [], judged, fixed: [] }

test('names the queues that are surely better, and the figures in which they are surely worse', () => {
  expect(judged.figures.map(({ better }) => better)).toEqual([
    [{ strategy: 'faster and dearer', paysIn: ['CI minutes per merge'] }],
    [{ strategy: 'cheaper', paysIn: [] }],
    [],
  ])
  expect(judged.figures.map(({ bestOther }) => bestOther?.strategy)).toEqual([
    'faster and dearer',
    'cheaper',
    'faster and dearer',
  ])
})

test('measures times and costs against the clairvoyant, and evictions against those that landed', () => {
  expect(judged.overClairvoyant.p95?.size).toMatchObject({ kind: 'interval', seeds: 8 })
  expect(judged.evictedPercent).toEqual({ kind: 'always', value: 10, seeds: 8 })
})

test('counts the places in which another queue is better, for a price and for nothing', () => {
  expect(standingsOf([place])).toEqual([
    { measure: 'time to land p95', places: 1, beaten: 1, beatenForNothing: 0, bestMean: 0 },
    { measure: 'CI minutes per merge', places: 1, beaten: 1, beatenForNothing: 1, bestMean: 0 },
    { measure: 'healthy evicted', places: 1, beaten: 0, beatenForNothing: 0, bestMean: 1 },
  ])
})

test('the table marks each goal that is missed', () => {
  const text = goalsText([place])
  expect(text).toContain('p95: faster and dearer (CI); CI: cheaper')
  expect(text).toMatch(/^town .* 2\.98 ! .* 1\.07 +10 ! /m)
  expect(text).toContain('CI minutes at most 1.1 times its: 1 of 1')
  expect(text).toContain('at most 0.5 % of the healthy evicted: 0 of 1')
})
