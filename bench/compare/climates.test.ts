import { expect, test } from 'vitest'
import { climateOf, livelockIn } from './climates.ts'

test('in 40 random climates a merge is never dear, and a greater load never costs 30 % of the merges per hour', () => {
  const climates = Array.from({ length: 40 }, (_, index) => climateOf(index + 1))
  expect(climates.filter((climate) => livelockIn(climate) !== null)).toEqual([])
})

test('a climate is dear where restarts feed restarts, and slower where a load does', () => {
  const calm = { ...climateOf(1), minutesOneAtATime: 20, mergesPerHour: [4, 8, 2.8] }
  expect(livelockIn({ ...calm, minutes: 49 })).toBe(null)
  expect(livelockIn({ ...calm, minutes: 50 })).toBe('dear')
  const slower = { ...calm, minutes: 20, mergesPerHour: [4, 8, 2.7] }
  expect(livelockIn(slower)).toBe('slower at a greater load')
})
