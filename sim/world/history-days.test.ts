import { describe, expect, test } from 'vitest'
import type { Scenario } from '../scenario/scenario.ts'
import { parted, withLastThirdApart } from './history-days.ts'

const day = 1440

/** Four pull requests a day; the last of a day is built on the first of it, and on one of the day before. */
const historyOf = (days: number): Scenario => ({
  name: 'history',
  pullRequests: Array.from({ length: days * 4 }, (_, index) => ({
    number: index + 1,
    at: Math.floor(index / 4) * day + (index % 4) * 120,
    ...(index % 4 === 3 && index > 4 ? { conflictsWith: [index - 2, index - 6] } : {}),
  })),
  events: [
    { at: 10, do: 'updateQueue', set: { concurrency: 3 } },
    { at: 5, do: 'cancel', number: 1 },
    { at: 30 * day + 7, do: 'cancel', number: 121 },
  ],
})

// S-334
describe('the last third of a history', () => {
  const whole = withLastThirdApart(historyOf(42))
  const { seen, unseen } = parted(whole)

  test('is kept apart from a whole day on, with what people did there, from instant 0 on', () => {
    expect(whole.keptApartFrom).toBe(28 * day)
    expect(seen.pullRequests).toHaveLength(28 * 4)
    expect(unseen?.pullRequests).toHaveLength(14 * 4)
    expect(unseen?.pullRequests?.[0]).toEqual({ number: 113, at: 0 })
    expect(seen.events).toEqual(whole.events?.slice(0, 2))
    expect(unseen?.events).toEqual([
      { at: 10, do: 'updateQueue', set: { concurrency: 3 } },
      { at: 2 * day + 7, do: 'cancel', number: 121 },
    ])
  })

  test('has no relation to what is before it', () => {
    expect(unseen?.pullRequests?.[3]?.conflictsWith).toEqual([113])
    expect(unseen?.pullRequests?.[7]?.conflictsWith).toEqual([117, 113])
    const numbers = new Set(seen.pullRequests?.map(({ number }) => number))
    const related = seen.pullRequests?.flatMap(({ conflictsWith = [] }) => conflictsWith) ?? []
    expect(related.every((number) => numbers.has(number))).toBe(true)
  })

  test('is not kept apart where two thirds would be too few days or pull requests', () => {
    expect(withLastThirdApart(historyOf(34)).keptApartFrom).toBeUndefined()
    const few = {
      ...historyOf(42),
      pullRequests: historyOf(42).pullRequests?.filter(({ number }) => number % 2 === 0) ?? [],
    }
    expect(withLastThirdApart(few).keptApartFrom).toBeUndefined()
    expect(parted(historyOf(42))).toEqual({ seen: historyOf(42), unseen: null })
  })
})
