import { describe, expect, test } from 'vitest'
import { drawsOf } from '../draw.ts'
import { TextConflicts, type Whereabouts } from './text-conflicts.ts'

const allInQueue: Whereabouts = () => 'in the queue'

/** The pairs among generated pull requests up to `last`. */
function pairs(rate: number, last: number, whereabouts: Whereabouts): string[] {
  const conflicts = new TextConflicts(rate, drawsOf(1))
  const found: string[] = []
  for (let number = 1001; number <= last; number++) {
    found.push(...conflicts.of(number, whereabouts).map((other) => `${other}-${number}`))
  }
  return found
}

describe('text conflicts among generated pull requests', () => {
  test('each pair has the same chance', () => {
    const found = pairs(0.1, 1200, allInQueue)
    expect(found.length / ((200 * 199) / 2)).toBeCloseTo(0.1, 2)
    expect(new Set(found).size).toBe(found.length)
  })

  test('none at rate 0, all at rate 1', () => {
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

  test('only with those still in the queue, and the rest is as it would have been', () => {
    const isGone = (number: number): boolean => number % 3 === 0 || number < 1050
    const found = pairs(0.2, 1100, (number) => (isGone(number) ? 'gone' : 'in the queue'))
    const expected = pairs(0.2, 1100, allInQueue).filter(
      (pair) => !isGone(Number(pair.split('-')[0])),
    )
    expect(found).toEqual(expected)
  })
})
