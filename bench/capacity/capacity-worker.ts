/** The entry point of a worker thread: finds the load at which one setting no longer keeps up, with one seed. */

import { measuring } from '../../sim/judge/measurement.ts'
import {
  type PullRequestEntry,
  type Scenario,
  generatedCount,
} from '../../sim/scenario/scenario.ts'
import { configurationOf } from '../tune/axes.ts'
import { type ModelChange, changedModel } from '../tune/model-change.ts'
import { Waiting, atLoad, leftOver } from './load.ts'

export type CapacityTask = {
  readonly scenario: Scenario
  /** What else is otherwise than today: a shorter suite, fewer flakes. */
  readonly changes: readonly ModelChange[]
  readonly seed: number
  /** The p95 of the time to land is not above this. */
  readonly limitMinutes: number
  /** From two loads on, none is simulated for which these events would probably not be enough. */
  readonly eventsAtMost: number
  /** The events of the whole budget: no simulation goes on beyond. */
  readonly eventsInAll: number
}

/** A load that was simulated. */
export type LoadPoint = {
  readonly load: number
  readonly keepsUp: boolean
  /** The share of the pull requests that the queue is left with. */
  readonly left: number
  /** Null if nothing landed. */
  readonly p95: number | null
  readonly ciMinutes: number | null
  readonly price: number | null
}

/** What binds first. */
export type Binding =
  | 'slots'
  | 'the serial line'
  | 'flakes'
  | 'clashes'
  | 'breaks'
  | 'the length of a run'
  | 'several at once'

export type CapacityAnswer = {
  /** In order of the load. */
  readonly points: readonly LoadPoint[]
  /** The highest load at which it keeps up; null: not even at the least that is tried. */
  readonly low: number | null
  /** The lowest load at which it does not; null: at none that is tried. */
  readonly high: number | null
  /** What ends it: the number waiting grows, or only the time passes the limit. */
  readonly endedBy: 'trend' | 'limit' | null
  readonly binding: Binding | null
  readonly events: number
  /** The events were not enough for all that is asked. */
  readonly isCutOff: boolean
  /** A property that was violated, and at which load. */
  readonly broken: { readonly property: string; readonly load: number } | null
}

/** A queue that is left with more of its pull requests does not keep up. */
export const mostLeft = 0.01

/** Loads are powers of two, in steps of this part of an octave. */
const perOctave = 32
const coarse = perOctave / 2
const [leastPower, mostPower] = [-4 * perOctave, 6 * perOctave]

export const loadOf = (power: number): number => Number((2 ** (power / perOctave)).toPrecision(6))

/** Every search comes past such a load, if it gets so far. */
export const isWholeStep = (load: number): boolean =>
  load === loadOf(coarse * Math.round((Math.log2(load) * perOctave) / coarse))

/** So far above its limit a queue is looked at to see what binds. */
const above = perOctave / 4

// The pool calls an export of this name.
export function capacityWorker(task: CapacityTask): CapacityAnswer {
  const search = new Search(task)
  const { low, high } = search.bracket()
  search.around(high)
  const found = {
    low: low === null ? null : loadOf(low),
    high: high === null ? null : loadOf(high),
    endedBy: high === null ? null : search.endedBy(high),
    binding: high === null ? null : search.binding(high, low),
  }
  const { points, events, isCutOff, broken } = search
  return { ...found, points, events, isCutOff, broken }
}

type Bracket = { readonly low: number | null; readonly high: number | null }

class Search {
  events = 0
  isCutOff = false
  broken: CapacityAnswer['broken'] = null
  readonly #task: CapacityTask
  /** The events of the last simulation. The next one has about as many. */
  #last = 0
  readonly #known = new Map<number, LoadPoint>()

  constructor(task: CapacityTask) {
    this.#task = task
  }

  get points(): LoadPoint[] {
    return [...this.#known.values()].toSorted((a, b) => a.load - b.load)
  }

  /** Walks from today's load until the queue stops or begins to keep up, and halves the last step. */
  bracket(): Bracket {
    const { low: from, high: to } = this.#walked()
    if (from === null || to === null) return { low: from, high: to }
    let [low, high] = [from, to]
    while (high - low > 1 && !this.#isOver()) {
      const middle = (low + high) / 2
      if (this.#keepsUp(middle)) low = middle
      else if (this.#known.has(middle)) high = middle
    }
    return { low, high }
  }

  #walked(): Bracket {
    const today = this.#at(0)
    if (!today) return { low: null, high: null }
    let [low, high] = today.keepsUp ? [0, coarse] : [-coarse, 0]
    if (today.keepsUp) {
      for (; this.#keepsUp(high); low = high, high += coarse) {
        if (high >= mostPower || this.#isOver()) return { low: high, high: null }
      }
      if (!this.#known.has(high)) return { low, high: null }
    } else {
      for (; !this.#keepsUp(low); high = low, low -= coarse) {
        if (!this.#known.has(low)) return { low: null, high }
        if (low <= leastPower || this.#isOver()) return { low: null, high: low }
      }
    }
    return { low, high }
  }

  /** Simulates what a curve shows besides: less than today, and more than the queue keeps up with. */
  around(high: number | null): void {
    if (!this.#isOver()) this.#at(-coarse)
    if (high !== null && !this.#isOver()) this.#at(Math.floor(high / coarse + 1) * coarse)
  }

  endedBy(power: number): 'trend' | 'limit' {
    return (this.#at(power)?.left ?? 0) > mostLeft ? 'trend' : 'limit'
  }

  /**
   * Returns what helps most if it binds no more: more than a third of what is too much must go. Null: not known.
   * Where it is too slow at any load, nobody waits for others.
   */
  binding(high: number, low: number | null): Binding | null {
    if (this.#isOver(freed.length + 2)) return null
    const load = loadOf(high + above)
    const isTrend = this.endedBy(high) === 'trend'
    const excess = (free: (scenario: Scenario) => Scenario): number => {
      const { left = Infinity, p95 } = this.#measured(load, free) ?? {}
      return isTrend ? left : (p95 ?? Infinity)
    }
    const enough = (excess((scenario) => scenario) * 2) / 3
    const [best] = freed
      .map(({ name, free }) => ({ name, left: excess(free) }))
      .toSorted((a, b) => a.left - b.left)
    if (best && best.left <= enough) return best.name
    const all = excess((scenario) => freed.reduce((each, { free }) => free(each), scenario))
    if (this.isCutOff) return null
    if (all <= enough) return 'several at once'
    return low === null && !isTrend ? 'the length of a run' : 'the serial line'
  }

  /** A property was violated, or so many more simulations would probably be too many. */
  #isOver(more = 1): boolean {
    this.isCutOff ||= this.events + more * this.#last > this.#task.eventsAtMost
    return this.isCutOff || this.broken !== null
  }

  #keepsUp(power: number): boolean {
    return this.#at(power)?.keepsUp === true
  }

  /** Null if the budget was not enough for this load. */
  #at(power: number): LoadPoint | null {
    const point = this.#known.get(power) ?? this.#measured(loadOf(power))
    if (point) this.#known.set(power, point)
    return point
  }

  #measured(
    load: number,
    free: (scenario: Scenario) => Scenario = (each) => each,
  ): LoadPoint | null {
    const { changes, seed, limitMinutes } = this.#task
    const changed = changes.reduce(
      (each, change) => changedModel(each, change, seed),
      this.#task.scenario,
    )
    const { scenario: loaded, dayMs } = atLoad(changed, load, seed)
    const scenario = free(loaded)
    const waiting = new Waiting()
    const steps = measuring(scenario, { projections: [waiting] })
    let step = steps.next()
    let work = 0
    for (; step.done !== true && work <= this.#task.eventsInAll; step = steps.next()) {
      work = step.value
    }
    this.#last = work
    this.events += work
    const left = leftOver(waiting.samples, dayMs)
    if (step.done !== true) {
      this.isCutOff = true
      // What is left is known as soon as all have come.
      const all = (scenario.pullRequests ?? []).length + generatedCount(scenario)
      const isKnown = waiting.samples.length === all
      const nothing = { p95: null, price: null, ciMinutes: null }
      return isKnown && left > mostLeft ? { load, left, keepsUp: false, ...nothing } : null
    }
    const { figures, broken } = step.value
    if (broken !== null) this.broken ??= { property: broken, load }
    const { totals, timeToLandMinutes, price } = figures
    const { p95 } = timeToLandMinutes
    const { merged, testMinutes } = totals
    return {
      load,
      left,
      p95,
      price: price?.perLanded ?? null,
      keepsUp: left <= mostLeft && p95 !== null && p95 <= limitMinutes,
      ciMinutes: merged === 0 ? null : testMinutes / merged,
    }
  }
}

// What may bind, and the same scenario in which it does not.

type Freed = { readonly name: Binding; readonly free: (scenario: Scenario) => Scenario }

/** So many times as many slots bind no more. */
const manySlots = 4

const freed: readonly Freed[] = [
  {
    name: 'slots',
    free: (scenario) => {
      const { concurrency, bisectionConcurrency } = configurationOf(scenario)
      const more = { concurrency: manySlots * concurrency }
      const bisections = manySlots * (bisectionConcurrency ?? concurrency)
      return {
        ...scenario,
        queue: { ...scenario.queue, ...more, bisectionConcurrency: bisections },
      }
    },
  },
  {
    name: 'flakes',
    free: ({ suiteFlakes: _flakes, ...scenario }) =>
      withTraffic(
        scenario,
        { flakyPullRequestRate: 0 },
        ({ flakyRuns: _1, flakeRate: _2, ...entry }) => entry,
      ),
  },
  {
    name: 'clashes',
    free: (scenario) =>
      withTraffic(
        scenario,
        { clashRate: 0, conflictRate: 0 },
        ({ breaksWith: _1, clashesWith: _2, conflictsWith: _3, ...entry }) => entry,
      ),
  },
  {
    name: 'breaks',
    free: (scenario) =>
      withTraffic(scenario, { breakRate: 0 }, ({ breaks: _breaks, ...entry }) => entry),
  },
]

function withTraffic(
  scenario: Scenario,
  rates: NonNullable<Scenario['traffic']>,
  without: (entry: PullRequestEntry) => PullRequestEntry,
): Scenario {
  const { traffic, pullRequests } = scenario
  return {
    ...scenario,
    ...(traffic ? { traffic: { ...traffic, ...rates } } : {}),
    ...(pullRequests ? { pullRequests: pullRequests.map(without) } : {}),
  }
}
