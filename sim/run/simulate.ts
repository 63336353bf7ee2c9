import equal from 'fast-deep-equal'
import type { RunOutcome, SimulateOptions, StepReader } from '../observe/run-context.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { Command, Event } from '../../engine/index.ts'
import { linesOf } from '../observe/observers.ts'
import { Simulation } from './simulation.ts'

/** Work that the caller can stop after any step. */
export type Steps<T> = Generator<void, T, void>

/**
 * Runs a scenario from its first submission until nothing is scheduled and the queue is at rest.
 */
export function simulate(scenario: Scenario, options: SimulateOptions = {}): RunOutcome {
  const simulation = new Simulation(scenario, options)
  while (simulation.step());
  return simulation.outcome()
}

/** Like `simulate`, but the caller can stop after any step. */
export function* simulating(scenario: Scenario, options: SimulateOptions = {}): Steps<RunOutcome> {
  const simulation = new Simulation(scenario, options)
  while (simulation.step()) yield
  return simulation.outcome()
}

/** Runs all steps and returns the result. */
export function drained<T>(steps: Generator<unknown, T, void>): T {
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

// Runs the same scenario twice, some steps of each run in turn, and compares the events (S-42). A
// difference shows at the event at which it begins.

/** The first line in which the traces of two runs differ. */
export type TraceDifference = {
  /** How many lines of the trace were the same. */
  readonly sameLines: number
  /** A command or an event as JSON; null if that run was over. */
  readonly first: string | null
  readonly second: string | null
}

export type DoubleRun = {
  readonly outcome: RunOutcome
  readonly difference: TraceDifference | null
}

/**
 * So many steps of the first run are followed by the same steps of the second. Turns of one step each
 * would make the second run slower, because the code of all properties comes between.
 */
const stepsInTurn = 64

/** Runs the scenario twice. Observers and properties watch the first run only. */
export function runTwice(scenario: Scenario, options: SimulateOptions = {}): DoubleRun {
  return drained(runningTwice(scenario, options))
}

/** Like `runTwice`, but the caller can stop after any step. */
export function* runningTwice(scenario: Scenario, options: SimulateOptions = {}): Steps<DoubleRun> {
  const { parts, observers = [] } = options
  const first = new Stretch()
  const second = new Stretch()
  const run = new Simulation(scenario, { ...options, observers: [...observers, () => first.read] })
  const again = new Simulation(scenario, {
    ...(parts ? { parts } : {}),
    observers: [() => second.read],
    isUnhashed: true,
  })
  let sameLines = 0
  let behind = 0
  const catchUp = (): TraceDifference | null => {
    for (; behind > 0; behind--) again.step()
    const difference = first.differenceTo(second, sameLines)
    sameLines += first.length
    first.forget()
    second.forget()
    return difference
  }
  let difference: TraceDifference | null = null
  for (;;) {
    const goesOn = run.step()
    behind++
    if (!difference && (!goesOn || behind === stepsInTurn)) difference = catchUp()
    if (!goesOn) break
    yield
  }
  return { outcome: run.outcome(), difference }
}

/** The commands and events of a run since the last comparison. */
class Stretch {
  #recorded: (readonly [Command, readonly Event[]])[] = []
  #lines = 0

  readonly read: StepReader = ({ command, events }) => {
    this.#recorded.push([command, events])
    this.#lines += 1 + events.length
  }

  /** The number of lines in the trace. */
  get length(): number {
    return this.#lines
  }

  /**
   * The difference to the other run; null if there is none. Only then text is made, which is slow.
   */
  differenceTo(other: Stretch, before: number): TraceDifference | null {
    if (equal(this.#recorded, other.#recorded)) return null
    return differenceOf(this.#text(), other.#text(), before)
  }

  forget(): void {
    this.#recorded = []
    this.#lines = 0
  }

  #text(): string {
    return this.#recorded.map(([command, events]) => linesOf(command, events)).join('')
  }
}

/**
 * The first line in which two texts differ; null if they are equal. `before` lines before them were
 * equal.
 */
export function differenceOf(
  first: string,
  second: string,
  before: number,
): TraceDifference | null {
  if (first === second) return null
  const firstLines = linesIn(first)
  const secondLines = linesIn(second)
  const same = firstLines.findIndex((line, index) => line !== secondLines[index])
  const index = same === -1 ? firstLines.length : same
  return {
    sameLines: before + index,
    first: firstLines[index] ?? null,
    second: secondLines[index] ?? null,
  }
}

const linesIn = (text: string): string[] => text.split('\n').slice(0, -1)
