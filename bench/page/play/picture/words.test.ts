import { expect, test } from 'vitest'
import type { FilmedRun } from '../film/film.ts'
import { areaOf, foldedSlots, mostIn } from './picture.tsx'
import { clock, progressWords } from './words.ts'

const minute = 60_000

const run = (minutes: number): FilmedRun => ({
  ...{ id: 1, kind: 'main', slot: 0, tested: [7], below: 0, ending: 'flaked' },
  ...{ from: 10 * minute, to: (10 + minutes) * minute },
})

test('the clock begins at midnight of the first day', () => {
  expect(clock(0)).toBe('Day 1, 00:00')
  expect(clock((24 * 60 + 61) * minute)).toBe('Day 2, 01:01')
})

test('a run says how long it has taken of how long', () => {
  expect(progressWords(run(10.5), 15.9 * minute)).toBe('5 of 11 min')
  expect(progressWords(run(200), 100 * minute)).toBe('1:30 of 3:20 h')
  expect(progressWords(run(65), 11 * minute)).toBe('0:01 of 1:05 h')
})

test('the strip rises and falls with the queue', () => {
  const depth = [
    { at: 0, count: 1 },
    { at: 50, count: 2 },
    { at: 100, count: 0 },
  ]
  expect(mostIn(depth)).toBe(2)
  expect(areaOf({ depth, endedAt: 100 })).toBe('M0 40H0.0V21.0H500.0V2.0H1000.0V40.0H1000V40z')
})

test('free slots beside each other are one row, of one kind', () => {
  const slot = (kind: 'main' | 'bisection', number: number, isBusy: boolean) => {
    return { kind, slot: number, run: isBusy ? run(5) : null, isOver: false }
  }
  const rows = foldedSlots([
    ...[slot('main', 0, false), slot('main', 1, false), slot('main', 2, true)],
    ...[slot('main', 3, false), slot('bisection', 0, false), slot('bisection', 1, false)],
  ])
  expect(rows.map((row) => [row.kind, row.slot, row.to, row.run !== null])).toEqual([
    ['main', 0, 1, false],
    ['main', 2, 2, true],
    ['main', 3, 3, false],
    ['bisection', 0, 1, false],
  ])
})
