/**
 * What a simulated event costs, world and clock and command and all, in pops and pushes of a bare
 * event heap: the floor under any simulator.
 *
 * The heap is the one that the virtual clock uses, holding as many things as the simulation had to
 * come on average, in the same order of the same kind of entries.
 */

import TinyQueue from 'tinyqueue'
import { Engine } from '../../engine/index.ts'
import { runTwice } from '../../sim/compare-runs.ts'
import type { Moment } from '../../sim/moment.ts'
import { newQueueOf } from '../../sim/new-queue.ts'
import { properties } from '../../sim/properties/index.ts'
import type { RunOutcome } from '../../sim/run-context.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { simulate } from '../../sim/simulate.ts'
import { TraceHash } from '../../sim/trace.ts'
import { costsInTurns, cpuNs, type Work } from '../measuring/cpu-time.ts'
import { silence } from '../measuring/engine-in-motion.ts'
import {
  atMost,
  measured,
  target,
  type Benchmark,
  type Figure,
  type Target,
} from '../measuring/measured.ts'
import { ratioOf, spreadOf } from '../measuring/spread.ts'
import { storm } from '../storm/scenario.ts'

/** In the first turns much is compiled, and compiled again; after these hardly anything. */
const turns = { warmups: 6, rounds: 15 }
const pops = 1_000_000

const plainLimit = 40
const watchedLimit = 120

export const event: Benchmark = {
  name: 'event',
  title: 'a simulated event, in pops and pushes of the event heap',
  async measure(effort) {
    const scenario = storm(effort.isQuick ? 20 : 5000)
    effort.progress('one run to look at')
    const { outcome, inHeap } = look(scenario)
    const bareWork = bareHeap(inHeap, effort.isQuick ? 1000 : pops)
    effort.progress('simulations beside the bare heap')
    const whole = await costsInTurns(
      [
        bareWork,
        perEvent(() => simulate(scenario)),
        perEvent(() => runTwice(scenario, { properties }).outcome),
      ],
      turns,
      effort,
    )
    effort.progress('parts of it')
    const parts = await costsInTurns([bareWork, ...partsOf(scenario, outcome)], turns, effort)
    const [bare = [], plain = [], watched = []] = whole
    const [bareAgain = [], engine = [], trace = []] = parts
    const perCommand = outcome.events / outcome.commands
    const to = 'bare pop and push'
    return measured({
      figures: [
        { name: to, unit: 'ns', value: spreadOf(bare) },
        figureOf('event simulated', plain, bare, to),
        figureOf('of that, the engine alone', engine, bareAgain, to),
        figureOf('of that, its trace as JSON and the hash of that', trace, bareAgain, to),
        figureOf('event watched and run twice', watched, bare, to),
        figureOf('whole command simulated', times(plain, perCommand), bare, to),
        figureOf('whole command watched and run twice', times(watched, perCommand), bare, to),
      ],
      targets: [
        targetOf('a simulated event', plain, bare, plainLimit),
        targetOf('one with every property watching, run twice', watched, bare, watchedLimit),
      ],
      notes: [
        `an event is one that the engine tells; a command makes ${perCommand.toFixed(1)} of them here, and all that is done for it is shared out among them`,
        `${Math.round(inHeap)} things to come in the heap, as in the simulation on average; processor time`,
      ],
    })
  },
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

type Look = { readonly outcome: RunOutcome; readonly inHeap: number }

/** How many test runs are under way on average, each with its result to come; and an arrival. */
function look(scenario: Scenario): Look {
  let sum = 0
  const outcome = simulate(scenario, {
    readers: [
      () =>
        ({ queue: { slots } }) => {
          sum += slots.main + slots.bisection + 1
        },
    ],
  })
  return { outcome, inHeap: sum / outcome.commands }
}

/** The engine and the trace by themselves. What they need to hold would burden whole simulations. */
function partsOf(scenario: Scenario, { events }: RunOutcome): Work[] {
  const moments: Moment[] = []
  simulate(scenario, { readers: [() => (moment) => void moments.push(moment)] })
  const partOf =
    (part: () => unknown): Work =>
    () =>
      cpuNs(part).ns / events
  return [partOf(() => driveEngine(scenario, moments)), partOf(() => hashTrace(moments))]
}

function perEvent(run: () => RunOutcome): Work {
  return () => {
    const { ns, answer } = cpuNs(run)
    return ns / answer.events
  }
}

/** The same commands, with no world around the engine that takes them. */
function driveEngine(scenario: Scenario, moments: readonly Moment[]): void {
  const engine = new Engine(newQueueOf(scenario), silence)
  for (const { command } of moments) engine.dispatch(command)
}

function hashTrace(moments: readonly Moment[]): string {
  const trace = new TraceHash()
  for (const { command, events } of moments) trace.add(command, events)
  return trace.digest()
}

type Entry = { readonly at: number; readonly tie: number; readonly sequence: number }

function bareHeap(size: number, count: number): Work {
  const heap = new TinyQueue<Entry>(
    [],
    (a, b) => a.at - b.at || a.tie - b.tie || a.sequence - b.sequence,
  )
  let sequence = 0
  let random = 1
  /** Any spread will do, as long as it costs next to nothing. */
  const later = (): number => (random = (random * 48_271) % 2_147_483_647)
  for (; sequence < size; sequence++) heap.push({ at: later(), tie: 0, sequence })
  const popAndPush = (): void => {
    for (let turn = 0; turn < count; turn++) {
      const entry = heap.pop()
      sequence++
      heap.push({ at: (entry?.at ?? 0) + later(), tie: sequence % 5, sequence })
    }
  }
  return () => {
    // Garbage of whoever had the turn before is still being collected, and that would count.
    popAndPush()
    return cpuNs(popAndPush).ns / count
  }
}
