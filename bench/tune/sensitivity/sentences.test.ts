import { expect, test } from 'vitest'
import type { SensitivityResult } from './results.ts'
import { holdsWords, measureFirstWords, sensitivityRow } from './sentences.ts'

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
  ...{ name: 'run length', unit: 'min', today: 15, tried: [3.75, 60] },
  surely: { low: 12, high: 20 },
  onAverage: { low: 10, high: 25 },
  beyond: { low: "today's setting", high: 'no batches' },
  times: 1.5,
}

const arrivals: SensitivityResult = {
  ...flakes,
  ...{ name: 'arrivals', unit: 'an hour', today: 15, tried: [3.75, 60] },
  surely: { low: 9, high: null },
  onAverage: { low: null, high: null },
  beyond: { low: null, high: null },
  times: null,
}

// S-232
test('one sentence says how far the advice holds', () => {
  expect(holdsWords([flakes, runs, arrivals])).toBe(
    'This holds on average while flakes stay below 4 % and runs stay between 10 and 25 min, and for all arrivals that were tried.',
  )
  expect(holdsWords([arrivals])).toBe('This holds on average for all arrivals that were tried.')
  expect(holdsWords([])).toBeNull()
})

test('slots are counted', () => {
  const slots = { ...flakes, name: 'concurrency', unit: 'slots', today: 5 }
  const words = (low: number | null, high: number | null): string | null =>
    holdsWords([{ ...slots, onAverage: { low, high } }])
  expect(words(4, null)).toBe('This holds on average while there are at least 4 slots.')
  expect(words(4, 8)).toBe('This holds on average while there are 4 to 8 slots.')
})

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
  expect(sensitivityRow(flakes)).toEqual([
    'flakes',
    '3 % of runs',
    '',
    'up to 3.2 %',
    'up to 4 %',
    '0 to 12 %',
    'above 4 %: no batches',
  ])
  expect(sensitivityRow({ ...arrivals, isMadeUp: false })).toEqual([
    'arrivals',
    '15 an hour',
    'from the history',
    'from 9 an hour',
    'at any value tried',
    '3.75 to 60 an hour',
    '',
  ])
  const { 6: beyond } = sensitivityRow({
    ...runs,
    beyond: { low: 'no batches', high: 'no batches' },
  })
  expect(beyond).toBe('on both sides: no batches')
})
