import { expect, test } from 'vitest'
import { Engine, newQueue, groupTestingTable } from '../../engine/index.ts'
import type { TestRun, GroupTestingTable, Millis } from '../../engine/index.ts'
import { drawsOf } from '../random/draw.ts'
import { simulate } from '../run/simulate.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { Step } from '../steps/step.ts'

/**
 * The optimal nested policy, which knows the true failure rate. On average no bisection that tests
 * one prefix at a time needs fewer runs. The whole batch runs first.
 *
 * Returns a function that counts the runs of the policy on a batch of `size` at failure rate `p`.
 * Create it once and call it often, because it computes a table.
 */
function nestedPolicy(p: number, size: number): (breaks: readonly boolean[]) => number {
  const table = groupTestingTable(p, size)
  return (breaks) => (breaks.includes(true) ? 1 + search(table, breaks, breaks.length) : 1)
}

/** Runs to judge all members, if the first `failing` are known to fail (0: nothing is known). */
function search(table: GroupTestingTable, breaks: readonly boolean[], failing: number): number {
  if (breaks.length === 0) return 0
  // The only member of a failing range is the culprit and needs no run.
  if (failing === 1) return search(table, breaks.slice(1), 0)
  const firsts = failing > 0 ? table.firstOfFailing : table.firstOfUnknown
  const length = firsts[failing > 0 ? failing : breaks.length] ?? 1
  return breaks.slice(0, length).includes(true)
    ? 1 + search(table, breaks, length)
    : 1 + search(table, breaks.slice(length), Math.max(0, failing - length))
}

/** Sends batches one after another through the real engine, with one bisection slot. */
class BatchSequence {
  readonly #engine: Engine
  readonly #runs: TestRun[] = []
  readonly #breaking = new Set<number>()
  #submitted = 0
  #at = 0

  constructor(size: number) {
    const queue = newQueue({
      configuration: {
        batch: true,
        batchingMinSize: size,
        concurrency: 1,
        bisectionConcurrency: 1,
      },
    })
    const ports = {
      clock: { wakeAt: () => undefined },
      testRunner: { start: (run: TestRun) => void this.#runs.push(run), cancel: () => undefined },
    }
    this.#engine = new Engine(queue, ports)
  }

  get judged(): number {
    return this.#engine.queue.judged.count
  }

  /** Returns the number of runs of one batch, including its main run. */
  runsOf(breaks: readonly boolean[]): number {
    for (const isBreaking of breaks) {
      this.#submitted++
      if (isBreaking) this.#breaking.add(this.#submitted)
      this.#engine.dispatch({ type: 'submitPullRequest', number: this.#submitted, at: this.#at })
    }
    let runs = 0
    for (let run = this.#runs.shift(); run; run = this.#runs.shift()) {
      runs++
      this.#at += 60_000
      const fails = [...run.base, ...run.tested].some((number) => this.#breaking.has(number))
      const outcome = fails ? 'failed' : 'passed'
      this.#engine.dispatch({ type: 'finishTestRun', testRun: run.id, outcome, at: this.#at })
    }
    return runs
  }
}

const everyRate = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3]
const rates =
  process.env['MERGEYARD_THEORY'] === 'all' ? everyRate : everyRate.filter((_, at) => at % 2 === 1)
const histories = 6
const batchesEach = 100

type Costs = {
  /** Runs of all batches after 100 judged pull requests, and runs of the optimal policy. */
  readonly spent: number
  readonly needed: number
  /** Runs of the most expensive batch, including the first 100 pull requests. */
  readonly most: number
}

function costsOf(size: number, p: number, history: number): Costs {
  const optimal = nestedPolicy(p, size)
  const draw = drawsOf(history)
  const queue = new BatchSequence(size)
  let spent = 0
  let needed = 0
  let most = 0
  for (let batch = 0, measured = 0; measured < batchesEach; batch++) {
    const breaks = Array.from(
      { length: size },
      (_, member) => draw.unit('breaks', `${p}/${size}/${batch}/${member}`) < p,
    )
    const isWarm = queue.judged >= 100
    const runs = queue.runsOf(breaks)
    most = Math.max(most, runs)
    if (!isWarm) continue
    measured++
    spent += runs
    needed += optimal(breaks)
  }
  return { spent, needed, most }
}

// E-75
test.each([2, 4, 8, 16])(
  'given 100 judged pull requests a bisected batch of %i needs at most 2 % more runs than the optimal policy that knows the rate',
  (size) => {
    for (const p of rates) {
      const each = Array.from({ length: histories }, (_, history) => costsOf(size, p, history + 1))
      const spent = each.reduce((sum, costs) => sum + costs.spent, 0)
      const needed = each.reduce((sum, costs) => sum + costs.needed, 0)
      expect(Math.max(...each.map(({ most }) => most))).toBeLessThanOrEqual(2 * size - 1)
      expect(spent / needed, `size ${size}, rate ${p}`).toBeLessThanOrEqual(1.02)
    }
  },
)

type ServedPullRequest = {
  readonly arrived: Millis
  readonly started: Millis
  readonly length: Millis
}

/** Simulates the scenario. Returns each pull request with its only test run, by arrival. */
function served(scenario: Scenario): ServedPullRequest[] {
  const arrivals = new Map<number, Millis>()
  const starts = new Map<number, { readonly number: number; readonly at: Millis }>()
  const all: ServedPullRequest[] = []
  const read = ({ command: { at }, events }: Step): void => {
    for (const event of events) {
      if (event.type === 'pullRequestSubmitted') arrivals.set(event.number, at)
      if (event.type === 'testRunStarted') {
        for (const number of event.run.tested) starts.set(event.run.id, { number, at })
      }
      const start = event.type === 'testRunFinished' ? starts.get(event.testRun) : undefined
      if (!start) continue
      const arrived = arrivals.get(start.number) ?? NaN
      all.push({ arrived, started: start.at, length: at - start.at })
    }
  }
  simulate(scenario, { observers: [() => read], isUnhashed: true })
  return all.sort((a, b) => a.arrived - b.arrived)
}

// The means of such waits, by Pollaczek and Khinchine and by Erlang C, are among the calibrations of `bench`.
test.each([
  [1, { breakRate: 0.1 }],
  [2, {}],
  [8, {}],
])(
  'given %i slots and no batching, each run starts when a slot is free, to the millisecond (Kiefer and Wolfowitz)',
  (concurrency, more) => {
    const all = served({
      name: 'waits',
      seed: 7,
      queue: { concurrency },
      suite: { minutes: { median: 10, p95: 25 } },
      traffic: { count: 2000, arrivals: { perHour: 4.5 * concurrency }, ...more },
    })
    expect(all).toHaveLength(2000)
    const freeAt: Millis[] = Array.from({ length: concurrency }, () => 0)
    for (const { arrived, started, length } of all) {
      const slot = freeAt.indexOf(Math.min(...freeAt))
      expect(started).toBe(Math.max(arrived, freeAt[slot] ?? 0))
      freeAt[slot] = started + length
    }
    const waiting = all.filter(({ arrived, started }) => started > arrived)
    expect(waiting.length).toBeGreaterThan(200)
  },
)
