import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { scenarioOf } from '../../sim/testing/simulated.ts'
import type { Candidate } from './candidates.ts'
import { paretoFront } from './dominance.ts'
import type { TuneFigures } from './figures.ts'
import { Race, roundsOf, type Runner } from './race.ts'
import { verdictOf, type TuneVerdict } from './verdict.ts'

const nothing: TuneFigures = {
  p95: 60,
  p50: 30,
  ciMinutes: 20,
  runs: 1,
  evicted: 2,
  unproven: 0,
  broken: 0,
  resubmissionsPerMerge: 0,
}

function candidate(name: string, isToday = false, size = 1): Candidate {
  const scenario = scenarioOf({ queue: { batchingMinSize: size } })
  return { name, labels: {}, assignments: {}, scenario, isToday }
}

/**
 * Noise that differs by seed but not by setting, so that only paired comparisons find differences.
 */
const noiseOf = (seed: number): number => 10 * ((seed * 7) % 5)

type Shape = (seed: number) => Partial<TuneFigures>

/** Runs a race with invented figures by candidate name. Returns the race and the runs in order. */
function raced(shapes: Readonly<Record<string, Shape>>, seeds: number) {
  const candidates = Object.keys(shapes).map((name) => candidate(name, name === 'today'))
  const race = new Race(
    candidates,
    Array.from({ length: seeds }, (_, index) => index + 1),
  )
  const run: string[] = []
  const nameOf = (scenario: Scenario): string =>
    candidates.find((each) => each.scenario.queue === scenario.queue)?.name ?? ''
  for (const scenario of race.tasks()) {
    const { seed = NaN } = scenario
    const name = nameOf(scenario)
    run.push(`${name} ${seed}`)
    race.answer({ ...nothing, ...shapes[name]?.(seed) })
  }
  return { race, run }
}

const plain: Shape = (seed) => ({ p95: 60 + noiseOf(seed), ciMinutes: 20 + noiseOf(seed) })
const better: Shape = (seed) => ({
  p95: 40 + noiseOf(seed) + (seed % 3),
  ciMinutes: 15 + noiseOf(seed) + (seed % 2),
})

describe('rounds', () => {
  test('have 10 seeds, then as many as all rounds before; a small rest joins the last', () => {
    const sizes = (seeds: number): number[] =>
      roundsOf(Array.from({ length: seeds }, (_, index) => index)).map(({ length }) => length)
    expect(sizes(4)).toEqual([4])
    expect(sizes(10)).toEqual([10])
    expect(sizes(20)).toEqual([10, 10])
    expect(sizes(40)).toEqual([10, 10, 20])
    expect(sizes(45)).toEqual([10, 10, 25])
    expect(sizes(100)).toEqual([10, 10, 20, 40, 20])
  })

  test('after a round, exactly the significantly worse settings are dropped', () => {
    const { race, run } = raced({ today: plain, better, other: plain }, 20)
    expect(run.filter((each) => each.startsWith('other'))).toHaveLength(10)
    const [today, best, other] = race.runners
    expect(other?.dropped).toMatchObject({ after: 10, by: { name: 'better' } })
    expect([today?.dropped, best?.dropped]).toEqual([null, null])
    expect(race.remaining.map(({ runs }) => runs.length)).toEqual([20, 20])
  })

  test('given a slower but cheaper setting, it stays', () => {
    const cheap: Shape = (seed) => ({ p95: 90 + noiseOf(seed), ciMinutes: 2 + noiseOf(seed) })
    const { race } = raced({ today: plain, better, cheap }, 20)
    expect(race.runners[2]?.dropped).toBeNull()
  })

  test('given a dropped setting, its open answers do not count', () => {
    const candidates = [candidate('today', true), candidate('better'), candidate('other')]
    const shapes = [plain, better, plain]
    const race = new Race(
      candidates,
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
    const tasks = race.tasks()
    // Three tasks are always open.
    const ahead = [tasks.next(), tasks.next(), tasks.next()]
    const counted: (string | undefined)[] = []
    for (let task = ahead.shift(); task && !task.done; task = ahead.shift()) {
      ahead.push(tasks.next())
      const { value } = task
      const index = candidates.findIndex(({ scenario }) => scenario.queue === value.queue)
      const figures = { ...nothing, ...shapes[index]?.(value.seed ?? 0) }
      counted.push(race.answer(figures)?.candidate.name)
    }
    expect(counted.filter((name) => name === 'other')).toHaveLength(10)
    expect(counted).toContain(undefined)
    expect(race.remaining.map(({ runs }) => runs.length)).toEqual([20, 20])
  })

  test('given an interrupted race, all settings keep the seeds that all have', () => {
    const race = new Race([candidate('today', true), candidate('a')], [1, 2, 3])
    const tasks = race.tasks()
    for (let position = 0; position < 3; position++) {
      tasks.next()
      race.answer(nothing)
    }
    expect(race.cutShort()).toBe(1)
    expect(race.remaining.map(({ runs }) => runs.length)).toEqual([1, 1])
  })
})

describe('the verdict', () => {
  const runner = (name: string, shape: Shape, seeds = 20, size = 1): Runner => ({
    candidate: candidate(name, name === 'today', size),
    runs: Array.from({ length: seeds }, (_, index) => ({ ...nothing, ...shape(index + 1) })),
    dropped: null,
  })
  const summaryOf = ({ kind, choice, rivals, unsafe }: TuneVerdict) => ({
    kind,
    choice: choice.candidate.name,
    rivals: rivals.map((each) => each.runner.candidate.name),
    unsafe: unsafe.map(({ candidate: { name } }) => name),
  })
  /** Nearly the same mean as `better`, with noise of its own. */
  const similar: Shape = (seed) => ({
    ...better(seed),
    p95: 41 + noiseOf(seed) + (seed % 2) * 2 - 1,
  })

  test('given a setting that is significantly better than all others, it wins', () => {
    const found = verdictOf([runner('today', plain), runner('better', better)], 'balance')
    expect(summaryOf(found)).toEqual({ kind: 'winner', choice: 'better', rivals: [], unsafe: [] })
  })

  test('given no significant difference, the verdict is a tie with the smallest change', () => {
    const found = verdictOf(
      [runner('today', plain), runner('far', better, 20, 16), runner('near', similar, 20, 1)],
      'balance',
    )
    expect(found.kind).toBe('tie')
    expect(found.choice.candidate.name).toBe('near')
  })

  test('given a current setting that does not differ significantly from the best, it is kept', () => {
    const found = verdictOf([runner('today', similar), runner('better', better)], 'balance')
    expect(found.kind).toBe('keep')
  })

  test('given too few seeds, the current setting is kept', () => {
    const few = [runner('today', plain, 5), runner('better', better, 5)]
    expect(verdictOf(few, 'balance').kind).toBe('keep')
  })

  test('given a setting that breaks main for longer, it is not recommended', () => {
    const bad: Shape = (seed) => ({ ...better(seed), broken: 30 + (seed % 4) })
    const found = verdictOf([runner('today', plain), runner('bad', bad)], 'time')
    expect(summaryOf(found)).toEqual({ kind: 'keep', choice: 'today', rivals: [], unsafe: ['bad'] })
  })

  test('given a fast and a cheap setting, the preference decides', () => {
    const cheap: Shape = (seed) => ({ p95: 90 + noiseOf(seed), ciMinutes: 2 + seed / 100 })
    const all = [runner('today', plain), runner('better', better), runner('cheap', cheap)]
    expect(summaryOf(verdictOf(all, 'time')).choice).toBe('better')
    expect(summaryOf(verdictOf(all, 'cost')).choice).toBe('cheap')
  })

  test('given healthy evictions, each counts as another submission', () => {
    const hasty: Shape = (seed) => ({
      ...plain(seed),
      p95: 58 + noiseOf(seed),
      resubmissionsPerMerge: 0.2 + (seed % 2) / 50,
    })
    const found = verdictOf([runner('today', plain), runner('hasty', hasty)], 'time')
    expect(summaryOf(found)).toMatchObject({ kind: 'keep', choice: 'today', rivals: [] })
  })

  test('the front has the settings that no other setting dominates', () => {
    const a = runner('a', () => ({ p95: 10, ciMinutes: 30 }))
    const b = runner('b', () => ({ p95: 30, ciMinutes: 10 }))
    const c = runner('c', () => ({ p95: 30, ciMinutes: 30 }))
    const d = runner('d', () => ({ p95: 40, ciMinutes: 40, evicted: 0 }))
    expect(paretoFront([a, b, c, d])).toEqual([a, b, d])
  })
})
