import { describe, expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { climateOf, livelockIn } from './climates.ts'

describe('a merge is never dear, and a greater load never costs 30 % of the merges per hour', () => {
  const inLivelock = (from: number, to: number) => {
    const climates = Array.from({ length: to - from + 1 }, (_, index) => climateOf(from + index))
    return climates.filter((climate) => livelockIn(climate) !== null)
  }

  test('in the random climates 1 to 12', () => {
    expect(inLivelock(1, 12)).toEqual([])
  })

  test('in the random climates 13 to 40', matrix, () => {
    expect(inLivelock(13, 40)).toEqual([])
  })
})

test('a climate is dear where restarts feed restarts, and slower where a load does', () => {
  const calm = { ...climateOf(1), minutesOneAtATime: 20, mergesPerHour: [4, 8, 2.8] }
  expect(livelockIn({ ...calm, minutes: 49 })).toBe(null)
  expect(livelockIn({ ...calm, minutes: 50 })).toBe('dear')
  const slower = { ...calm, minutes: 20, mergesPerHour: [4, 8, 2.7] }
  expect(livelockIn(slower)).toBe('slower at a greater load')
})
