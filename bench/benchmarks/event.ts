/**
 * The cost of a simulated event, in pops and pushes of a bare event heap. No simulator can be
 * faster than its event heap. The cost includes the command, the rules, the world, the clock and
 * the trace.
 *
 * The heap has the same implementation, order and kind of entries as that of the virtual clock. It
 * holds as many entries as the simulation schedules on average.
 */

import TinyQueue from 'tinyqueue'
import { Engine } from '../../engine/index.ts'
import { runTwice, simulate } from '../../sim/run/simulate.ts'
import type { Step } from '../../sim/steps/step.ts'
import { newQueueOf } from '../../sim/run/engine-under-test.ts'
import { properties } from '../../sim/properties/index.ts'
import type { Property } from '../../sim/observe/property.ts'
import type { RunOutcome } from '../../sim/observe/run-context.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { TraceHash } from '../../sim/observe/observers.ts'
import { atMost, costsInTurns, measured, ratioOf, spreadOf, target } from './measurement.ts'
import type { Benchmark, Figure, Target, Work } from './measurement.ts'
import { heavyScenario } from './simulation.ts'

/**
 * Each group of turns has few kinds of runs: the more kinds one process has seen, the slower each becomes.
 * In the first rounds the just-in-time compiler still optimizes the code.
 */
const turns = { warmups: 6, rounds: 15 }
const pops = 1_000_000

const plainLimit = 40
const checkedLimit = 120

export const event: Benchmark = {
  name: 'event',
  title: 'a simulated event, in pops and pushes of the event heap',
  async measure(effort) {
    const scenario = heavyScenario(effort.isQuick ? 20 : 5000)
    effort.progress('a first run')
    const { outcome, inHeap } = measureEvent(scenario)
    const bareWork = bareHeap(inHeap, effort.isQuick ? 1000 : pops)
    effort.progress('simulations and the bare heap')
    const whole = await costsInTurns(
      [
        bareWork,
        perEvent(() => simulate(scenario)),
        perEvent(() => runTwice(scenario, { properties }).outcome),
      ],
      turns,
      effort,
    )
    effort.progress('the ledger and the properties')
    const watching = await costsInTurns(
      [
        perEvent(() => simulate(scenario)),
        perEvent(() => simulate(scenario, { properties: [nothingChecked] })),
        perEvent(() => simulate(scenario, { properties })),
      ],
      turns,
      effort,
    )
    effort.progress('engine and trace alone')
    const parts = await costsInTurns([bareWork, ...partsOf(scenario, outcome)], turns, effort)
    const [bare = [], plain = [], checked = []] = whole
    const [plainAgain = [], kept = [], watched = []] = watching
    const [bareAgain = [], engine = [], trace = []] = parts
    const perCommand = outcome.events / outcome.commands
    const to = 'bare pop and push'
    const single = 'event simulated'
    return measured({
      figures: [
        { name: to, unit: 'ns', value: spreadOf(bare) },
        figureOf(single, plain, bare, to),
        figureOf('of that, the engine alone', engine, bareAgain, to),
        figureOf('of that, the trace as JSON and its hash', trace, bareAgain, to),
        figureOf('event of which the ledger is kept', kept, plainAgain, single),
        figureOf('event watched, with all properties', watched, plainAgain, single),
        figureOf('event simulated twice, with all properties', checked, bare, to),
        figureOf('whole command simulated', times(plain, perCommand), bare, to),
        figureOf(
          'whole command simulated twice, with all properties',
          times(checked, perCommand),
          bare,
          to,
        ),
      ],
      targets: [
        targetOf('a simulated event', plain, bare, plainLimit),
        targetOf('one simulated twice, with all properties', checked, bare, checkedLimit),
      ],
      notes: [
        `an event is one that the engine publishes; a command causes ${perCommand.toFixed(1)} events here, and its whole cost is divided by that number`,
        `the heap holds ${Math.round(inHeap)} entries, the average of the simulation; all times are processor time`,
      ],
    })
  },
}

/** With a property the run has a ledger; this one leaves all of the cost to it. */
const nothingChecked: Property = {
  name: 'nothing-checked',
  sentence: 'Nothing is checked.',
  watch: () => ({}),
}

const figureOf = (
  name: string,
  costs: readonly number[],
  bare: readonly number[],
  to: string,
): Figure => ({
  name,
  unit: 'ns',
  value: spreadOf(costs),
  ratio: { to, value: ratioOf(costs, bare) },
})

const targetOf = (
  name: string,
  costs: readonly number[],
  bare: readonly number[],
  limit: number,
): Target => target(`${name}, in pops and pushes`, 'times', ratioOf(costs, bare), atMost(limit))

const times = (costs: readonly number[], factor: number): number[] =>
  costs.map((cost) => cost * factor)

type EventCost = { readonly outcome: RunOutcome; readonly inHeap: number }

/**
 * Simulates once. `inHeap` is the mean number of scheduled events: a result per run, and an
 * arrival.
 */
function measureEvent(scenario: Scenario): EventCost {
  let sum = 0
  const outcome = simulate(scenario, {
    observers: [
      () =>
        ({ queue: { slots } }) => {
          sum += slots.main + slots.bisection + 1
        },
    ],
  })
  return { outcome, inHeap: sum / outcome.commands }
}

/**
 * The engine alone and the trace alone. They are measured apart from the whole simulations, because
 * the steps that they need would fill the memory.
 */
function partsOf(scenario: Scenario, { events }: RunOutcome): Work[] {
  const steps: Step[] = []
  simulate(scenario, { observers: [() => (step) => void steps.push(step)] })
  const partOf = (part: () => unknown): Work => ({
    run: () => {
      part()
      return events
    },
  })
  return [partOf(() => driveEngine(scenario, steps)), partOf(() => hashTrace(steps))]
}

const perEvent = (run: () => RunOutcome): Work => ({ run: () => run().events })

/** Sends the recorded commands to an engine without a simulated world. */
function driveEngine(scenario: Scenario, steps: readonly Step[]): void {
  const engine = new Engine(newQueueOf(scenario), {
    clock: { wakeAt: () => undefined },
    testRunner: { start: () => undefined, cancel: () => undefined },
  })
  for (const { command } of steps) engine.dispatch(command)
}

function hashTrace(steps: readonly Step[]): string {
  const trace = new TraceHash()
  for (const { command, events } of steps) trace.add(command, events)
  return trace.digest()
}

type HeapEntry = { readonly at: number; readonly tie: number; readonly sequence: number }

function bareHeap(size: number, count: number): Work {
  const heap = new TinyQueue<HeapEntry>(
    [],
    (a, b) => a.at - b.at || a.tie - b.tie || a.sequence - b.sequence,
  )
  let sequence = 0
  let random = 1
  /** A cheap generator. The exact distribution does not matter. */
  const later = (): number => (random = (random * 48_271) % 2_147_483_647)
  for (; sequence < size; sequence++) heap.push({ at: later(), tie: 0, sequence })
  const popAndPush = (): number => {
    for (let turn = 0; turn < count; turn++) {
      const entry = heap.pop()
      sequence++
      heap.push({ at: (entry?.at ?? 0) + later(), tie: sequence % 5, sequence })
    }
    return count
  }
  // Garbage of the previous measurement may still be collected and would distort this one.
  return { before: () => void popAndPush(), run: popAndPush }
}
