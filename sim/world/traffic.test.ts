import { describe, expect, test } from 'vitest'
import { drawsOf } from '../random/draw.ts'
import type { Arrivals, Scenario, Traffic } from '../scenario/scenario.ts'
import { scenarioOf } from '../testing/simulated.ts'
import { toMinutes } from '../scenario/time.ts'
import { arrivalsOf, type Arrival } from './traffic.ts'

function arrivalsIn(scenario: Scenario, count = Infinity): Arrival[] {
  const found: Arrival[] = []
  for (const arrival of arrivalsOf(scenario, drawsOf(scenario.seed ?? 1))) {
    if (found.length === count) break
    found.push(arrival)
  }
  return found
}

const generated = (traffic: Traffic, seed = 1): Arrival[] =>
  arrivalsIn(scenarioOf({ seed, traffic }))

const minutesOf = (arrivals: readonly Arrival[]): number[] =>
  arrivals.map(({ at }) => toMinutes(at))

/** Distance of a share from the expected one, in standard deviations; one in 15,000 is beyond 4. */
function offBy(hits: number, count: number, share: number): number {
  const deviation = Math.sqrt((share * (1 - share)) / count)
  return Math.abs(hits / count - share) / deviation
}

const times = (count: number, arrivals: Arrivals): number[] =>
  minutesOf(generated({ count, arrivals }))

describe('arrival times', () => {
  test('at regular intervals, the first at the start', () => {
    expect(times(4, { everyMinutes: 2.5 })).toEqual([0, 2.5, 5, 7.5])
  })

  test('in bursts', () => {
    expect(times(5, { bursts: { size: 2, everyMinutes: 60 } })).toEqual([0, 0, 60, 60, 120])
  })

  test('at a rate per hour', () => {
    const last = times(3000, { perHour: 30 }).at(-1) ?? 0
    expect(last / (100 * 60)).toBeCloseTo(1, 1)
  })

  test('at a rate by hour of day: none at rate 0, twice as many at twice the rate', () => {
    const perHour = [30, 60, ...Array.from({ length: 22 }, () => 0)]
    const hours = times(3000, { perHour }).map((minutes) => Math.floor(minutes / 60) % 24)
    const inFirst = hours.filter((hour) => hour === 0).length
    const inSecond = hours.filter((hour) => hour === 1).length
    expect(inFirst + inSecond).toBe(3000)
    expect(inSecond / inFirst).toBeCloseTo(2, 0)
  })

  // S-24
  test('by weekday: half as many on a day of half the weight, and the same in the mean', () => {
    const week = times(3 * 168 * 20, { perHour: 20, perWeekday: [2, 1, 1, 1, 1, 0, 0] })
    const days = week.map((minutes) => Math.floor(minutes / 1440) % 7)
    const inDay = (day: number): number => days.filter((each) => each === day).length
    expect(inDay(5) + inDay(6)).toBe(0)
    expect(inDay(0) / inDay(1)).toBeCloseTo(2, 0)
    const weeks = (week.at(-1) ?? 0) / (168 * 60)
    // Three weeks of arrivals end on a Friday, or early on a Monday.
    expect(weeks).toBeGreaterThan(2.6)
    expect(weeks).toBeLessThan(3.05)
  })

  // S-24
  test('that double twice, come four times as often in the end', () => {
    const all = times(4000, { perHour: 20, doublings: 2 })
    const spanOf = (from: number, to: number): number => (all[to] ?? 0) - (all[from] ?? 0)
    expect(spanOf(0, 400) / spanOf(3599, 3999)).toBeCloseTo(4 ** 0.9, 0)
  })

  test('order explicit and generated pull requests by time, then by number', () => {
    const all = arrivalsIn(
      scenarioOf({
        pullRequests: [
          { number: 9, at: 2 },
          { number: 3, at: 2 },
          { number: 5000, at: 4 },
          { number: 7, at: 99 },
        ],
        traffic: { count: 3, arrivals: { everyMinutes: 2 } },
      }),
    )
    expect(all.map(({ entry }) => entry.number)).toEqual([1001, 3, 9, 1002, 1003, 5000, 7])
  })

  test('are generated lazily: the first of ten million are cheap', () => {
    const few = arrivalsIn(scenarioOf({ traffic: { count: 10_000_000 } }), 3)
    expect(few.map(({ entry }) => entry.number)).toEqual([1001, 1002, 1003])
  })
})

describe('generated pull requests', () => {
  type Has = (arrival: Arrival) => boolean
  const offAmong = (arrivals: readonly Arrival[], share: number, has: Has): number =>
    offBy(arrivals.filter(has).length, arrivals.length, share)

  test('break, flake, are urgent, noBatch and green at the given rates', () => {
    const all = generated({
      count: 5000,
      breakRate: 0.1,
      flakyPullRequestRate: 0.2,
      flakeRate: 0.4,
      urgentRate: 0.05,
      noBatchRate: 0.3,
      greenOnTipRate: 0.5,
    })
    expect(offAmong(all, 0.1, ({ entry }) => entry.breaks === true)).toBeLessThan(4)
    expect(offAmong(all, 0.2, ({ entry }) => entry.flakeRate === 0.4)).toBeLessThan(4)
    expect(offAmong(all, 0.05, ({ entry }) => entry.priority === 'urgent')).toBeLessThan(4)
    expect(offAmong(all, 0.3, ({ entry }) => entry.noBatch === true)).toBeLessThan(4)
    expect(offAmong(all, 0.45, ({ entry }) => entry.greenOnTip === true)).toBeLessThan(4)
    expect(all.some(({ entry }) => entry.greenOnTip === true && entry.breaks === true)).toBe(false)
  })

  test('with a sticky rate break in series, and at the same rate overall', () => {
    const all = generated({ count: 20_000, breakRate: { rate: 0.1, sticky: 0.6 } })
    const broken = all.map(({ entry }) => entry.breaks === true)
    const after = broken.filter((_, index) => broken[index - 1] === true)
    // Breaks in series are correlated, so they count as a quarter of as many independent ones.
    expect(offBy(broken.filter(Boolean).length / 4, broken.length / 4, 0.1)).toBeLessThan(4)
    expect(offBy(after.filter(Boolean).length, after.length, 0.6)).toBeLessThan(4)
  })

  test('are cancelled and pushed to within twice the length of a typical run', () => {
    const all = generated({ count: 2000, cancelRate: 0.3, pushRate: 0.1 })
    const events = all.flatMap((arrival) => arrival.events.map((event) => ({ arrival, event })))
    const verbs = events.map(({ event }) => event.do)
    expect(offBy(verbs.filter((verb) => verb === 'cancel').length, 2000, 0.3)).toBeLessThan(4)
    expect(offBy(verbs.filter((verb) => verb === 'push').length, 2000, 0.1)).toBeLessThan(4)
    const delays = events.map(({ arrival, event }) => (event.at ?? 0) - toMinutes(arrival.at))
    expect(Math.min(...delays)).toBeGreaterThan(0)
    expect(Math.max(...delays)).toBeLessThanOrEqual(20.001)
  })

  test('impact distinct known targets, as many as configured, or ALL', () => {
    const names = ['web', 'api', 'docs']
    const all = generated({ count: 500, targets: { names, perPullRequest: [1, 2], allRate: 0.1 } })
    const lists = all.flatMap(({ entry }) => (Array.isArray(entry.targets) ? [entry.targets] : []))
    expect(offAmong(all, 0.1, ({ entry }) => entry.targets === 'ALL')).toBeLessThan(4)
    expect(new Set(lists.map((list) => list.length))).toEqual(new Set([1, 2]))
    expect(new Set(lists.flat())).toEqual(new Set(names))
    expect(lists.every((list) => new Set(list).size === list.length)).toBe(true)
  })

  test('impact a hub at the given rate, in addition to their own targets', () => {
    const targets = { names: ['web', 'api'], hubs: ['core', 'build'], hubRate: 0.2 }
    const all = generated({ count: 500, targets })
    const touches = (name: string) => (arrival: Arrival) =>
      Array.isArray(arrival.entry.targets) && arrival.entry.targets.includes(name)
    expect(offAmong(all, 0.1, touches('core'))).toBeLessThan(4)
    expect(offAmong(all, 0.1, touches('build'))).toBeLessThan(4)
    expect(offAmong(all, 0.5, touches('web'))).toBeLessThan(4)
  })

  // S-360
  test('tell who breaks as well as riskAuc says, and change nothing else', () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    const drawn = (riskAuc: number): Arrival[] =>
      generated({ count: 4000, breakRate: 0.25, targets: { names, riskAuc } })
    const shareOfRisky = (all: readonly Arrival[], breaks: boolean): number => {
      const some = all.filter(({ entry }) => (entry.breaks === true) === breaks)
      return (
        some.filter(({ entry }) => ['a', 'b'].includes(String(entry.targets))).length / some.length
      )
    }
    for (const riskAuc of [0.5, 0.8, 1]) {
      const all = drawn(riskAuc)
      expect(Math.abs(shareOfRisky(all, true) - riskAuc)).toBeLessThan(0.05)
      expect(Math.abs(shareOfRisky(all, false) - (1 - riskAuc))).toBeLessThan(0.05)
    }
    const rest = (all: readonly Arrival[]) =>
      all.map(({ at, entry: { targets: _targets, ...entry } }) => ({ at, entry }))
    const without = generated({ count: 4000, breakRate: 0.25, targets: { names } })
    expect(rest(drawn(1))).toEqual(rest(without))
  })
})

describe('a changed setting', () => {
  test('changes no other draw, so that the same pull requests arrive under every setting', () => {
    const before = generated({ count: 200, breakRate: 0.2, urgentRate: 0.2 })
    const after = generated({ count: 300, breakRate: 0.2, urgentRate: 0.4, noBatchRate: 0.5 })
    const breaking = (all: readonly Arrival[]): number[] =>
      all.slice(0, 200).flatMap(({ entry }) => (entry.breaks === true ? [entry.number] : []))
    expect(breaking(after)).toEqual(breaking(before))
    expect(minutesOf(after).slice(0, 200)).toEqual(minutesOf(before))
    const urgent = (all: readonly Arrival[]): Set<number> =>
      new Set(all.flatMap(({ entry }) => (entry.priority === 'urgent' ? [entry.number] : [])))
    expect([...urgent(before)].filter((number) => !urgent(after).has(number))).toEqual([])
  })

  test('of the seed gives other pull requests', () => {
    expect(minutesOf(generated({ count: 5 }, 1))).not.toEqual(minutesOf(generated({ count: 5 }, 2)))
  })
})
