import { describe, expect, test } from 'vitest'
import { drawsOf } from '../random/draw.ts'
import { TextConflicts, type Presence } from './text-conflicts.ts'

const allInQueue: Presence = () => 'in the queue'

/** The pairs among generated pull requests up to `last`. */
function pairs(rate: number, last: number, presenceOf: Presence): string[] {
  const conflicts = new TextConflicts(rate, drawsOf(1))
  const found: string[] = []
  for (let number = 1001; number <= last; number++) {
    found.push(...conflicts.of(number, presenceOf).map((other) => `${other}-${number}`))
  }
  return found
}

describe('text conflicts among generated pull requests', () => {
  test('have the same chance for each pair', () => {
    const found = pairs(0.1, 1200, allInQueue)
    expect(found.length / ((200 * 199) / 2)).toBeCloseTo(0.1, 2)
    expect(new Set(found).size).toBe(found.length)
  })

  test('are none at rate 0, and all at rate 1', () => {
    expect(pairs(0, 1100, allInQueue)).toEqual([])
    expect(pairs(1, 1004, allInQueue)).toEqual([
      '1001-1002',
      '1002-1003',
      '1001-1003',
      '1003-1004',
      '1002-1004',
      '1001-1004',
    ])
  })

  test('disappear with a pull request that has left, and the others stay the same', () => {
    const isGone = (number: number): boolean => number % 3 === 0 || number < 1050
    const found = pairs(0.2, 1100, (number) => (isGone(number) ? 'gone' : 'in the queue'))
    const expected = pairs(0.2, 1100, allInQueue).filter(
      (pair) => !isGone(Number(pair.split('-')[0])),
    )
    expect(found).toEqual(expected)
  })
})
