/**
 * The same scenario run twice, side by side, one step of each in turn: any difference between the
 * two shows at the very event at which it begins.
 */

import equal from 'fast-deep-equal'
import type { Command, Event } from '../engine/index.ts'
import type { MomentReader, RunOutcome, SimulateOptions } from './run-context.ts'
import type { Scenario } from './scenario/scenario.ts'
import { drained, type Steps } from './simulate.ts'
import { Simulation } from './simulation.ts'
import { linesOf } from './trace.ts'

/** The first place at which two runs of one scenario differ. */
export type Difference = {
  /** How many lines of the trace were the same. */
  readonly sameLines: number
  /** A command or an event as JSON; null when that run was over. */
  readonly first: string | null
  readonly second: string | null
}

export type Twice = { readonly outcome: RunOutcome; readonly difference: Difference | null }

/** Runs it twice; watchers and readers attend the first run only. */
export function runTwice(scenario: Scenario, options: SimulateOptions = {}): Twice {
  return drained(runningTwice(scenario, options))
}

/** The same, a step of both at a time. */
export function* runningTwice(scenario: Scenario, options: SimulateOptions = {}): Steps<Twice> {
  const { parts, readers = [] } = options
  const first = new Stretch()
  const second = new Stretch()
  const run = new Simulation(scenario, { ...options, readers: [...readers, () => first.read] })
  const again = new Simulation(scenario, {
    ...(parts ? { parts } : {}),
    readers: [() => second.read],
    isUnhashed: true,
  })
  let sameLines = 0
  const compare = (): Difference | null => {
    const difference = first.differenceTo(second, sameLines)
    sameLines += first.length
    first.forget()
    second.forget()
    return difference
  }
  let difference: Difference | null = null
  while (run.step()) {
    yield
    if (difference) continue
    again.step()
    difference = compare()
  }
  again.step()
  difference ??= compare()
  return { outcome: run.outcome(), difference }
}

/** What was heard of a run since the two were compared last. */
class Stretch {
  #heard: (readonly [Command, readonly Event[]])[] = []
  #lines = 0

  readonly read: MomentReader = ({ command, events }) => {
    this.#heard.push([command, events])
    this.#lines += 1 + events.length
  }

  /** In lines of the trace. */
  get length(): number {
    return this.#lines
  }

  /** Text is made of what differs alone: of all the rest nobody would read it. */
  differenceTo(other: Stretch, before: number): Difference | null {
    if (equal(this.#heard, other.#heard)) return null
    return differenceOf(this.#text(), other.#text(), before)
  }

  forget(): void {
    this.#heard = []
    this.#lines = 0
  }

  #text(): string {
    return this.#heard.map(([command, events]) => linesOf(command, events)).join('')
  }
}

/** Where two texts part that were the same for `before` lines; null when they do not. */
export function differenceOf(first: string, second: string, before: number): Difference | null {
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
