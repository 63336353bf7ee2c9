/**
 * The same scenario run twice, side by side, one step of each in turn: any difference between the
 * two shows at the very event at which it begins.
 */

import type { RunOutcome, SimulateOptions } from './run-context.ts'
import type { Scenario } from './scenario/scenario.ts'
import { drained, type Steps } from './simulate.ts'
import { Simulation } from './simulation.ts'

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
  const { parts } = options
  let first = ''
  let second = ''
  const run = new Simulation(scenario, {
    ...options,
    onTrace(lines) {
      first += lines
      options.onTrace?.(lines)
    },
  })
  const again = new Simulation(scenario, {
    ...(parts ? { parts } : {}),
    onTrace(lines) {
      second += lines
    },
  })
  let sameLines = 0
  let difference: Difference | null = null
  while (run.step()) {
    yield
    if (difference) continue
    again.step()
    difference = differenceOf(first, second, sameLines)
    sameLines += countLines(first)
    first = ''
    second = ''
  }
  again.step()
  difference ??= differenceOf(first, second, sameLines)
  return { outcome: run.outcome(), difference }
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

/** Counted at every step, so no list of them is made. */
function countLines(text: string): number {
  let count = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) count++
  return count
}
