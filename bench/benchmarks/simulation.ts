/**
 * What `tune` runs: a simulation without properties and without a hash of its trace, of which the
 * figures are measured.
 *
 * The floor does no more than what any simulation of as many events has to: for each event it
 * allocates the event, and copies the record of the pull request and a short line. So it costs more
 * where memory is slow, as a simulation does.
 */

import { type Scenario, generatedCount } from '../../sim/scenario/scenario.ts'
import { tuneWorker } from '../tune/tune-worker.ts'
import { atMost, costsInTurns, measured, ratioOf, spreadOf, target } from './measurement.ts'
import type { Benchmark, Work } from './measurement.ts'

/**
 * Returns a scenario with `pullRequests` generated pull requests. It has failing batches,
 * bisections, flakes, conflicts, cancels, pushes and faults of the test runner. Pull requests
 * arrive at the highest rate that the queue can still handle.
 */
export function heavyScenario(pullRequests: number): Scenario {
  return {
    name: 'heavy-load',
    seed: 1,
    queue: {
      concurrency: 10,
      batch: true,
      batchingMinSize: 4,
      batchingMaxWaitTimeMinutes: 5,
      pendingFailureDepth: 1,
      canOptimisticallyMerge: true,
    },
    suite: { minutes: { median: 16, p95: 40 } },
    traffic: {
      count: pullRequests,
      arrivals: { perHour: 15 },
      breakRate: 0.06,
      conflictRate: 0.002,
      noBatchRate: 0.03,
      urgentRate: 0.01,
      cancelRate: 0.02,
      pushRate: 0.02,
    },
    suiteFlakes: { perRun: 0.03 },
    faults: { lostRunRate: 0.01, duplicateResultRate: 0.01, hangRate: 0.002 },
  }
}

const sizes = { full: [400, 10_000], quick: [5, 20] } as const
const perTurn = { full: 10_000, quick: 20 } as const
const turns = { warmups: 6, rounds: 15 }

/** 65 µs a pull request, on a machine where the floor takes 16 µs. */
const limit = 4

const waiting = { full: [300, 1200], quick: [5, 20] } as const

/** The line is four times as long, and a step may look along it once. */
const waitingLimit = 5

/** Clashes themselves make 1.05 times as many events. */
const clashLimit = 1.15

export const simulation: Benchmark = {
  name: 'simulation',
  title: 'a pull request of a simulation as tune runs it, beside bare allocations and copies',
  async measure(effort) {
    const [counts, most] = effort.isQuick
      ? [sizes.quick, perTurn.quick]
      : [sizes.full, perTurn.full]
    const lines = effort.isQuick ? waiting.quick : waiting.full
    const eventsEach = Math.round(tuned(heavyScenario(most), 1) / most)
    effort.progress('simulations and the floor')
    const works: Work[] = [
      { run: () => bookkeeping(most, eventsEach) },
      ...counts.map((count) => simulatedBy(heavyScenario(count), most / count)),
      simulatedBy(withClashes(heavyScenario(counts[0])), most / counts[0]),
      ...lines.map((count) => simulatedBy(overloaded(count), lines[1] / count)),
    ]
    const [floor = [], ...costs] = await costsInTurns(works, turns, effort)
    const to = 'floor'
    const named = counts.map((count, index) => ({ count, samples: costs[index] ?? [] }))
    const [plain = [], , clashing = [], short = [], long = []] = costs
    const withOthers = 'a pull request that may clash, beside one that does not'
    return measured({
      figures: [
        { name: to, unit: 'ns', value: spreadOf(floor) },
        ...named.map(({ count, samples }) => ({
          name: `a pull request of ${count}`,
          unit: 'ns' as const,
          value: spreadOf(samples),
          ratio: { to, value: ratioOf(samples, floor) },
        })),
      ],
      targets: [
        ...named.map(({ count, samples }) =>
          target(
            `a pull request of ${count}, in floors`,
            'times',
            ratioOf(samples, floor),
            atMost(limit),
          ),
        ),
        target(withOthers, 'times', ratioOf(clashing, plain), atMost(clashLimit)),
        target(
          `a pull request while up to ${lines[1]} wait, beside ${lines[0]}`,
          'times',
          ratioOf(long, short),
          atMost(waitingLimit),
        ),
      ],
      notes: [
        `the floor allocates and copies for ${eventsEach} events a pull request, as many as a simulation has; all times are processor time`,
      ],
    })
  },
}

/** As often as in the archetypes. */
function withClashes(scenario: Scenario): Scenario {
  const baseAge = { median: 120, p95: 480 }
  return { ...scenario, traffic: { ...scenario.traffic, clashRate: 0.0003, baseAge } }
}

/** More come than the queue merges, so that most of them wait at the same time. */
function overloaded(pullRequests: number): Scenario {
  const { traffic, queue, ...heavy } = heavyScenario(pullRequests)
  return {
    ...heavy,
    queue: { ...queue, policy: 'adaptive', concurrency: 100, batchingMinSize: 16 },
    traffic: { ...traffic, arrivals: { perHour: 500 } },
  }
}

/** Simulates the scenario with several seeds. Its unit is a pull request. */
function simulatedBy(scenario: Scenario, seeds: number): Work {
  return {
    run: () => {
      for (let seed = 1; seed <= seeds; seed++) tuned(scenario, seed)
      return generatedCount(scenario) * seeds
    },
  }
}

function tuned(scenario: Scenario, seed: number): number {
  return tuneWorker({ scenario, other: null, change: null, isFair: false, seed }).events
}

type BareRecord = {
  readonly number: number
  readonly state: number
  readonly changedAt: number
  readonly history: readonly number[]
}

const lineLength = 10

/** Returns the number of pull requests. What was copied is read, so that nothing is optimized away. */
function bookkeeping(pullRequests: number, eventsEach: number): number {
  const records = new Map<number, BareRecord>()
  let events: object[] = []
  let line: readonly number[] = []
  let read = 0
  for (let at = 0; at < pullRequests * eventsEach; at++) {
    const number = Math.floor(at / eventsEach)
    const { history, ...known } = records.get(number) ?? {
      number,
      state: 0,
      changedAt: at,
      history: [],
    }
    const state = known.state + 1
    events.push({ type: 'moved', number, from: known.state, to: state, at, reason: null })
    records.set(number, { ...known, state, changedAt: at, history: [...history, at] })
    line = [...line.slice(1 - lineLength), number]
    read += line.length + events.length
    // A command has about this many events.
    if (events.length === 4) events = []
  }
  if (read === 0) throw new Error('nothing was copied')
  return records.size
}
