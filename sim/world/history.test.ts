import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import type { Scenario, PullRequestEntry } from '../scenario/scenario.ts'
import { checkMeaning } from '../scenario/check.ts'
import { parted, withLastThirdApart, historyDays, blockDaysOf, resampleWeeks } from './history.ts'

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

/** Two pull requests on every working day, at 10:00 and 16:00; the first day is a Monday. */
function working(days: number, more: (index: number) => Partial<PullRequestEntry> = () => ({})) {
  const workdays = Array.from({ length: days }, (_, index) => index).filter(
    (index) => index % 7 < 5,
  )
  const pullRequests = workdays.flatMap((index) =>
    [0, 6].map((hour) => ({
      number: 10 * index + hour + 1,
      at: index * day + hour * 60,
      ...more(index),
    })),
  )
  return { name: 'history', pullRequests } satisfies Scenario
}

const seeds = [1, 2, 3, 4, 5, 6, 7, 8]

const numbersOf = ({ pullRequests = [] }: Scenario): number[] =>
  pullRequests.map(({ number }) => number)

describe('a history of ten weeks', () => {
  const history = working(70)

  // S-227
  test('has other weeks with each seed, and the same with the same seed', () => {
    const drawn = seeds.map((seed) => resampleWeeks(history, seed))
    expect(new Set(drawn.map((each) => numbersOf(each).join())).size).toBe(seeds.length)
    expect(resampleWeeks(history, 3)).toEqual(drawn[2])
    expect(drawn.map(({ seed }) => seed)).toEqual(seeds)
  })

  // S-227
  test('keeps working days, times of day and the length of a week', () => {
    for (const seed of seeds) {
      const { pullRequests = [] } = resampleWeeks(history, seed)
      expect(pullRequests.map(({ at }) => at)).toEqual(history.pullRequests.map(({ at }) => at))
    }
  })

  // S-227
  test('takes whole weeks', () => {
    const breaking = working(70, (index) => (index >= 21 && index < 28 ? { breaks: true } : {}))
    const found = seeds.map((seed) => {
      const { pullRequests = [] } = resampleWeeks(breaking, seed)
      return pullRequests.filter(({ breaks }) => breaks).length
    })
    expect(found.every((breaks) => breaks % 10 === 0)).toBe(true)
    expect(Math.max(...found)).toBeGreaterThan(10)
    expect(Math.min(...found)).toBe(0)
  })
})

describe('relations and events', () => {
  // S-228
  test('lead to the pull request of the same week, and to none outside of it', () => {
    const history = working(70, (index) => ({
      // To the pull request of the same day, and to that of the week before.
      conflictsWith: [10 * index + 1, ...(index >= 7 ? [10 * (index - 7) + 1] : [])],
    }))
    const alone = {
      ...history,
      pullRequests: history.pullRequests.map(({ conflictsWith = [], ...entry }) => ({
        ...entry,
        ...(entry.number % 10 === 7 ? { conflictsWith } : {}),
      })),
    }
    for (const seed of seeds) {
      const { pullRequests = [] } = resampleWeeks(alone, seed)
      const morning = new Map(pullRequests.map(({ number, at = 0 }) => [number, at]))
      const evenings = pullRequests.filter(({ at = 0 }) => at % day === 360)
      expect(evenings.length).toBe(50)
      for (const { conflictsWith, at = 0 } of evenings) {
        expect(conflictsWith?.map((number) => morning.get(number))).toEqual([at - 360])
      }
      expect(checkMeaning(resampleWeeks(alone, seed))).toEqual([])
    }
  })

  // S-228
  test('come with every copy of their pull request, as long after its arrival', () => {
    const history: Scenario = {
      ...working(70),
      events: [
        { at: 90, do: 'cancel', number: 1 },
        { at: 500, do: 'updateQueue', set: { state: 'PAUSED' } },
      ],
    }
    const drawn = seeds.map((seed) => resampleWeeks(history, seed))
    for (const { events = [], pullRequests = [] } of drawn) {
      expect(events[0]).toEqual(history.events?.[1])
      for (const event of events.slice(1)) {
        if (!('number' in event)) throw new Error('an event of no pull request')
        const { at = NaN } = pullRequests.find(({ number }) => number === event.number) ?? {}
        expect(event).toEqual({ at: at + 90, do: 'cancel', number: event.number })
      }
    }
    expect(Math.max(...drawn.map(({ events = [] }) => events.length))).toBeGreaterThan(2)
  })
})

describe('other histories', () => {
  // S-227
  test('a last week that is not whole goes on with the first days', () => {
    // Ten weeks and two days: all weeks that begin with the last two go on with a Wednesday.
    const history = working(72)
    for (const seed of seeds) {
      const { pullRequests = [] } = resampleWeeks(history, seed)
      expect(pullRequests.map(({ at }) => at)).toEqual(history.pullRequests.map(({ at }) => at))
    }
  })

  // S-227
  test('of less than six weeks exchanges days of the same weekday', () => {
    const history = working(28, (index) => (index % 7 === 4 ? { breaks: true } : {}))
    expect(blockDaysOf(history)).toBe(1)
    for (const seed of seeds) {
      const { pullRequests = [] } = resampleWeeks(history, seed)
      const broken = pullRequests.filter(({ breaks }) => breaks)
      expect(broken.map(({ at = 0 }) => Math.floor(at / day) % 7)).toEqual(broken.map(() => 4))
      expect(broken.length).toBe(8)
    }
  })

  // S-227
  test('of less than three weeks, and without listed pull requests, only get the seed', () => {
    const short = working(19)
    expect(blockDaysOf(short)).toBeNull()
    expect(resampleWeeks(short, 7)).toEqual({ ...short, seed: 7 })
    expect(resampleWeeks({ name: 'generated', traffic: {} }, 7)).toEqual({
      name: 'generated',
      traffic: {},
      seed: 7,
    })
  })

  // S-227
  test('given shorter days, are the same weeks', () => {
    const history = working(70)
    const busier: Scenario = {
      ...history,
      dayMinutes: day / 20,
      pullRequests: history.pullRequests.map((entry) => ({ ...entry, at: entry.at / 20 })),
    }
    for (const seed of seeds) {
      expect(numbersOf(resampleWeeks(busier, seed))).toEqual(
        numbersOf(resampleWeeks(history, seed)),
      )
    }
  })

  // S-227
  test('days begin in the hour with the fewest arrivals', () => {
    // The first arrival is at 22:00; work goes on until 02:00.
    const late = Array.from({ length: 30 }, (_, index) =>
      [0, 1, 2, 3, 4].map((hour) => ({
        number: 10 * index + hour + 1,
        at: index * day + hour * 60,
      })),
    ).flat()
    const { days } = historyDays({ name: 'late', pullRequests: late })
    expect(days.map(({ length }) => length)).toEqual(Array.from({ length: 30 }, () => 5))
  })

  // S-228
  test('have unique numbers and times in any history', () => {
    const arrivals = fc.array(fc.nat(100 * day), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(arrivals, fc.nat(1e6), (times, seed) => {
        const pullRequests = times.map((at, index) => ({ number: index + 1, at }))
        const drawn = resampleWeeks({ name: 'any', pullRequests, traffic: { count: 5 } }, seed)
        expect(checkMeaning(drawn)).toEqual([])
        expect((drawn.pullRequests ?? []).every(({ at = 0 }) => at >= 0)).toBe(true)
      }),
    )
  })
})
