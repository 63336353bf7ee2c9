/** Passes over a scenario, which make it smaller one try at a time. */

import type { Scenario } from '../scenario/scenario.ts'
import { validScenario } from './document.ts'

/**
 * Yields simpler scenarios one after the other, receives for each whether it still fails in the
 * same way, and returns the last one that did. Each candidate is simpler than the current scenario,
 * never only different, so that passes cannot repeat in a cycle.
 */
export type Pass = (scenario: Scenario) => PassRun
export type PassRun = Generator<Scenario, Scenario, boolean>

/** Runs the passes one after the other. */
export function* inOrder(scenario: Scenario, passes: readonly Pass[]): PassRun {
  let current = scenario
  for (const pass of passes) current = yield* pass(current)
  return current
}

/** Takes the first document that is a valid scenario and still fails. The simplest comes first. */
export function* firstOf(scenario: Scenario, documents: Iterable<unknown>): PassRun {
  for (const document of documents) {
    const candidate = validScenario(document)
    if (candidate && (yield candidate)) return candidate
  }
  return scenario
}

export type Removal<Item> = {
  /** The items of the current scenario that may be removed. */
  readonly of: (scenario: Scenario) => readonly Item[]
  readonly without: (scenario: Scenario, gone: readonly Item[]) => unknown
}

/** Removes as much as possible: everything, then halves, quarters, and so on to single items. */
export function* leaveOut<Item>(scenario: Scenario, { of, without }: Removal<Item>): PassRun {
  let current = scenario
  for (let size = of(current).length; size >= 1; size = Math.floor(size / 2)) {
    for (let index = 0; index < of(current).length;) {
      const gone = of(current).slice(index, index + size)
      const smaller: Scenario = yield* firstOf(current, [without(current, gone)])
      if (smaller === current) index += size
      current = smaller
    }
  }
  return current
}
