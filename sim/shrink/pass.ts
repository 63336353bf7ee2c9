/** How passes over a scenario make it smaller, one try at a time. */

import type { Scenario } from '../scenario/scenario.ts'
import { soundScenario } from './document.ts'

/**
 * Offers simpler scenarios one after the other, hears of each whether it still breaks the same
 * way, and answers the last that did. What it offers is simpler than what it has, never only
 * different, so that passes cannot go round in a circle.
 */
export type Pass = (scenario: Scenario) => Trying
export type Trying = Generator<Scenario, Scenario, boolean>

/** Passes one after the other. */
export function* inOrder(scenario: Scenario, passes: readonly Pass[]): Trying {
  let current = scenario
  for (const pass of passes) current = yield* pass(current)
  return current
}

/** Takes the first of these documents that is a scenario and still breaks: the simplest comes first. */
export function* firstOf(scenario: Scenario, documents: Iterable<unknown>): Trying {
  for (const document of documents) {
    const candidate = soundScenario(document)
    if (candidate && (yield candidate)) return candidate
  }
  return scenario
}

export type Removal<Item> = {
  /** What may be left out, as the scenario stands. */
  readonly of: (scenario: Scenario) => readonly Item[]
  readonly without: (scenario: Scenario, gone: readonly Item[]) => unknown
}

/** Leaves out as much as it can: everything, then halves, quarters, and so on to one at a time. */
export function* leaveOut<Item>(scenario: Scenario, { of, without }: Removal<Item>): Trying {
  let current = scenario
  for (let size = of(current).length; size >= 1; size = Math.floor(size / 2)) {
    for (let place = 0; place < of(current).length;) {
      const gone = of(current).slice(place, place + size)
      const smaller: Scenario = yield* firstOf(current, [without(current, gone)])
      if (smaller === current) place += size
      current = smaller
    }
  }
  return current
}
