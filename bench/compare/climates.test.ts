import { describe, expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { climateOf, livelockIn } from './climates.ts'

describe('a merge is never dear, and a greater load never costs 30 % of the merges per hour', () => {
  const inLivelock = (seeds: readonly number[]) =>
    seeds.map(climateOf).filter((climate) => livelockIn(climate) !== null)
  // `mergeyard compare climates` shows which ones these are.
  const nearest = [12, 27, 35, 39]

  test('in the random climates that are nearest to it', () => {
    expect(inLivelock(nearest)).toEqual([])
  })

  test('in the others of 1 to 40', matrix, () => {
    const all = Array.from({ length: 40 }, (_, index) => index + 1)
    expect(inLivelock(all.filter((seed) => !nearest.includes(seed)))).toEqual([])
  })
})

test('a climate is dear where restarts feed restarts, and slower where a load does', () => {
  const calm = { ...climateOf(1), minutesOneAtATime: 20, mergesPerHour: [4, 8, 2.8] }
  expect(livelockIn({ ...calm, minutes: 49 })).toBe(null)
  expect(livelockIn({ ...calm, minutes: 50 })).toBe('dear')
  const slower = { ...calm, minutes: 20, mergesPerHour: [4, 8, 2.7] }
  expect(livelockIn(slower)).toBe('slower at a greater load')
})
