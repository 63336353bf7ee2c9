import { expect, test } from 'vitest'
import { areaOf, mostIn } from './depth-strip.tsx'
import type { SlotScene } from './scene.ts'
import { clock, slotWords } from './words.ts'

const minute = 60_000

const slot = (minutes: number, isOver = false): SlotScene => ({
  ...{ kind: 'main', slot: 0, isOver },
  run: {
    ...{ id: 1, kind: 'main', slot: 0, tested: [7], below: 0, ending: 'flaked' },
    ...{ from: 10 * minute, to: (10 + minutes) * minute },
  },
})

test('the clock begins at midnight of the first day', () => {
  expect(clock(0)).toBe('Day 1, 00:00')
  expect(clock((24 * 60 + 61) * minute)).toBe('Day 2, 01:01')
})

test('a slot says how long its run has taken of how long, and then how it ended', () => {
  expect(slotWords(slot(11), 15 * minute)).toBe('5 of 11 min')
  expect(slotWords(slot(200), 100 * minute)).toBe('1 h 30 min of 3 h 20 min')
  expect(slotWords(slot(11, true), 22 * minute)).toBe('failed for no reason')
  expect(slotWords({ ...slot(11), run: null }, 0)).toBe('free')
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
