import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { scenarioOf } from '../../sim/testing/played.ts'
import type { Candidate } from './candidates.ts'
import { paretoFront } from './dominance.ts'
import type { TuneFigures } from './figures.ts'
import { Race, roundsOf, type Runner } from './race.ts'
import { verdictOf, type Verdict } from './verdict.ts'

const nothing: TuneFigures = {
  p95: 60,
  p50: 30,
  ciMinutes: 20,
  runs: 1,
  evicted: 2,
  unproven: 0,
  broken: 0,
  sentRound: 0,
}

function candidate(name: string, isToday = false, size = 1): Candidate {
  const scenario = scenarioOf({ queue: { batchingMinSize: size } })
  return { name, labels: {}, assignments: {}, scenario, isToday }
}

/** Seeds differ a lot, and alike for everybody: that is what pairing is for. */
const weather = (seed: number): number => 10 * ((seed * 7) % 5)

type Shape = (seed: number) => Partial<TuneFigures>

/** Plays the race with figures made up by the candidate's name. Answers it, and what was run. */
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

const plain: Shape = (seed) => ({ p95: 60 + weather(seed), ciMinutes: 20 + weather(seed) })
const better: Shape = (seed) => ({
  p95: 40 + weather(seed) + (seed % 3),
  ciMinutes: 15 + weather(seed) + (seed % 2),
})

describe('rounds', () => {
  test('of ten, then as many again as there were; a small rest joins the last', () => {
    const sizes = (seeds: number): number[] =>
      roundsOf(Array.from({ length: seeds }, (_, index) => index)).map(({ length }) => length)
    expect(sizes(4)).toEqual([4])
    expect(sizes(10)).toEqual([10])
    expect(sizes(20)).toEqual([10, 10])
    expect(sizes(40)).toEqual([10, 10, 20])
    expect(sizes(45)).toEqual([10, 10, 25])
    expect(sizes(100)).toEqual([10, 10, 20, 40, 20])
  })

  test('after a round, who is clearly beaten is dropped, and nobody else', () => {
    const { race, run } = raced({ today: plain, better, other: plain }, 20)
    expect(run.filter((each) => each.startsWith('other'))).toHaveLength(10)
    const [today, best, other] = race.runners
    expect(other?.dropped).toMatchObject({ after: 10, by: { name: 'better' } })
    expect([today?.dropped, best?.dropped]).toEqual([null, null])
    expect(race.alive.map(({ runs }) => runs.length)).toEqual([20, 20])
  })

  test('who is cheaper, though slower, stays', () => {
    const cheap: Shape = (seed) => ({ p95: 90 + weather(seed), ciMinutes: 2 + weather(seed) })
    const { race } = raced({ today: plain, better, cheap }, 20)
    expect(race.runners[2]?.dropped).toBeNull()
  })

  test('answers on their way for one who is dropped meanwhile do not count', () => {
    const candidates = [candidate('today', true), candidate('better'), candidate('other')]
    const shapes = [plain, better, plain]
    const race = new Race(
      candidates,
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
    const tasks = race.tasks()
    // Three runs are always handed out ahead of their answers.
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
    expect(race.alive.map(({ runs }) => runs.length)).toEqual([20, 20])
  })

  test('cut short, everybody left keeps the seeds that all have', () => {
    const race = new Race([candidate('today', true), candidate('a')], [1, 2, 3])
    const tasks = race.tasks()
    for (let place = 0; place < 3; place++) {
      tasks.next()
      race.answer(nothing)
    }
    expect(race.cutShort()).toBe(1)
    expect(race.alive.map(({ runs }) => runs.length)).toEqual([1, 1])
  })
})

describe('the verdict', () => {
  const runner = (name: string, shape: Shape, seeds = 20, size = 1): Runner => ({
    candidate: candidate(name, name === 'today', size),
    runs: Array.from({ length: seeds }, (_, index) => ({ ...nothing, ...shape(index + 1) })),
    dropped: null,
  })
  const told = ({ kind, choice, rivals, unsafe }: Verdict) => ({
    kind,
    choice: choice.candidate.name,
    rivals: rivals.map((each) => each.runner.candidate.name),
    unsafe: unsafe.map(({ candidate: { name } }) => name),
  })
  /** The same on average, and never twice the same. */
  const noise: Shape = (seed) => ({ ...better(seed), p95: 41 + weather(seed) + (seed % 2) * 2 - 1 })

  test('a winner is named where it is surely better than everybody', () => {
    const found = verdictOf([runner('today', plain), runner('better', better)], 'balance')
    expect(told(found)).toEqual({ kind: 'winner', choice: 'better', rivals: [], unsafe: [] })
  })

  test('no winner is named where intervals overlap: a tie, of which the least change is shown', () => {
    const found = verdictOf(
      [runner('today', plain), runner('far', better, 20, 16), runner('near', noise, 20, 1)],
      'balance',
    )
    expect(found.kind).toBe('tie')
    expect(found.choice.candidate.name).toBe('near')
  })

  test("where today's cannot be told from the best, it is kept", () => {
    const found = verdictOf([runner('today', noise), runner('better', better)], 'balance')
    expect(found.kind).toBe('keep')
  })

  test('with too few seeds nothing is told', () => {
    const few = [runner('today', plain, 5), runner('better', better, 5)]
    expect(verdictOf(few, 'balance').kind).toBe('keep')
  })

  test('who leaves main broken for longer is never recommended', () => {
    const bad: Shape = (seed) => ({ ...better(seed), broken: 30 + (seed % 4) })
    const found = verdictOf([runner('today', plain), runner('bad', bad)], 'time')
    expect(told(found)).toEqual({ kind: 'keep', choice: 'today', rivals: [], unsafe: ['bad'] })
  })

  test('what is preferred decides between fast and cheap', () => {
    const cheap: Shape = (seed) => ({ p95: 90 + weather(seed), ciMinutes: 2 + seed / 100 })
    const all = [runner('today', plain), runner('better', better), runner('cheap', cheap)]
    expect(told(verdictOf(all, 'time')).choice).toBe('better')
    expect(told(verdictOf(all, 'cost')).choice).toBe('cheap')
  })

  test('an evicted healthy pull request counts as one that comes again', () => {
    const hasty: Shape = (seed) => ({
      ...plain(seed),
      p95: 58 + weather(seed),
      sentRound: 0.2 + (seed % 2) / 50,
    })
    const found = verdictOf([runner('today', plain), runner('hasty', hasty)], 'time')
    expect(told(found)).toMatchObject({ kind: 'keep', choice: 'today', rivals: [] })
  })

  test('the front holds whom nobody matches in all three goals', () => {
    const a = runner('a', () => ({ p95: 10, ciMinutes: 30 }))
    const b = runner('b', () => ({ p95: 30, ciMinutes: 10 }))
    const c = runner('c', () => ({ p95: 30, ciMinutes: 30 }))
    const d = runner('d', () => ({ p95: 40, ciMinutes: 40, evicted: 0 }))
    expect(paretoFront([a, b, c, d])).toEqual([a, b, d])
  })
})
