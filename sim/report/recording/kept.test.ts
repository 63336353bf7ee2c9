import { expect, test } from 'vitest'
import { mostListed } from '../../html/bar-list.ts'
import { Kept } from './minutes.ts'

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

test('keeps each number once, in order, as many as a page lists', () => {
  const kept = new Kept()
  kept.add([7, 3])
  kept.add([3, 5])
  expect(kept.numbers).toEqual([7, 3, 5])
  const full = new Kept()
  full.add(upTo(mostListed))
  full.add([1])
  expect([full.numbers.length, full.hasMore]).toEqual([mostListed, false])
  full.add([mostListed + 1])
  expect([full.numbers.length, full.hasMore]).toEqual([mostListed, true])
})
