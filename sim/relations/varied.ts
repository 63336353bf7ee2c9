/**
 * Compares the watched engine with a second one. The second engine gets the same commands, changed
 * in a way that must not matter, and must return the same events, changed in the same way.
 */

import { type EngineParts, type Queue, runCommand } from '../../engine/index.ts'
import { differenceOf, type TraceDifference } from '../run/compare-runs.ts'
import { newQueueOf } from '../run/engine-under-test.ts'
import type { SeenStep } from '../steps/step.ts'
import type { Property } from '../observe/property.ts'
import { toMinutes } from '../scenario/time.ts'
import { linesOf } from '../observe/trace.ts'

type Variation = Pick<Property, 'name' | 'sentence'> & {
  /** The time at which the second queue is made, in milliseconds. */
  readonly begin?: number
  /**
   * How commands and events are changed: maps the name and the value of a field to the new value.
   */
  readonly change?: (name: string, value: unknown) => unknown
  /** Replaces the second queue between any two commands. */
  readonly between?: (queue: Queue) => Queue
}

/** Returns the property that a variation changes nothing else. */
function varied(variation: Variation): Property {
  const { name, sentence } = variation
  return {
    name,
    sentence,
    watch({ inputs, check }) {
      if (!inputs) return {}
      const replica = new VariedQueue(
        newQueueOf(inputs.scenario, variation.begin),
        inputs.parts,
        variation,
      )
      let isOver = false
      return {
        atRest({ step }) {
          if (isOver) return
          const difference = replica.differenceIn(step)
          isOver = difference !== null
          const { at } = step.command
          const sequence = step.sequence + Math.max(difference?.sameLines ?? 0, 1)
          check(!isOver, { at, sequence }, () => ({
            story: storyOf(step, difference),
            pullRequests: [],
          }))
        },
      }
    },
  }
}

function storyOf({ command }: SeenStep, difference: TraceDifference | null): string {
  const first = difference?.first ?? 'nothing more'
  const second = difference?.second ?? 'nothing more'
  const at = `${command.type} at minute ${toMinutes(command.at)}`
  return `After ${at}, where one engine says ${first}, the other says ${second}.`
}

class VariedQueue {
  readonly #parts: EngineParts
  readonly #variation: Variation
  #queue: Queue

  constructor(queue: Queue, parts: EngineParts, variation: Variation) {
    this.#queue = queue
    this.#parts = parts
    this.#variation = variation
  }

  /** The first line of the trace in which the two engines differ; null if they agree. */
  differenceIn({ command, events }: SeenStep): TraceDifference | null {
    const { between } = this.#variation
    const changed = this.#changed(command)
    const expected = linesOf(changed, this.#changed(events))
    try {
      if (between) this.#queue = between(this.#queue)
      const outcome = runCommand(this.#queue, changed, this.#parts)
      const actual = outcome.accepted
        ? linesOf(changed, outcome.events)
        : `${JSON.stringify(outcome.rejection)}\n`
      return differenceOf(expected, actual, 0)
    } catch (error) {
      return differenceOf(expected, `${error instanceof Error ? error.message : 'error'}\n`, 0)
    }
  }

  #changed<T>(value: T): T {
    const { change } = this.#variation
    if (!change) return value
    const changed: T = JSON.parse(JSON.stringify(value, change))
    return changed
  }
}

/** The JSON of a queue holds the complete state of the engine. */
export const restartChangesNothing = varied({
  name: 'restart-changes-nothing',
  sentence:
    'An engine that is rebuilt from its own JSON before every command makes the same events.',
  between: (queue) => {
    const again: Queue = JSON.parse(JSON.stringify(queue))
    return again
  },
})

/** About two weeks, and neither whole minutes nor whole days. */
const shiftMs = 1_234_567_891

/** Fields that hold a time. */
const instants: ReadonlySet<string> = new Set([
  'at',
  'startedAt',
  'deadline',
  'notBefore',
  'heldUntil',
  'wakeAt',
  'since',
  'until',
])

/** The engine compares and adds times; their absolute values must not matter. */
export const timesShift = varied({
  name: 'times-shift',
  sentence:
    'When everything happens later by the same time, every event comes later by the same time, and nothing else is different.',
  begin: shiftMs,
  change: (name, value) =>
    instants.has(name) && typeof value === 'number' ? value + shiftMs : value,
})

/** Fields that hold the number of a pull request, or a list of them. */
const numbers: ReadonlySet<string> = new Set([
  'number',
  'with',
  'numbers',
  'members',
  'base',
  'tested',
  'conflictsWith',
  'dependsOn',
  'leftWith',
])

/** Far beyond all numbers in use, and in reverse order. */
const renumbered = (number: number): number => 100_000_000 - number

/** The order depends on priorities and submissions, never on numbers. */
export const numbersAreNames = varied({
  name: 'numbers-are-names',
  sentence: 'When pull requests have other numbers, in another order, nothing else is different.',
  change(name, value) {
    if (!numbers.has(name)) return value
    if (Array.isArray(value)) return value.map((each: unknown) => otherOf(each))
    return otherOf(value)
  },
})

const otherOf = (value: unknown): unknown => (typeof value === 'number' ? renumbered(value) : value)
