/** The values that are searched when the command names none. */

import { bisectionSlots, configurationWith, type Configuration } from '../../../engine/index.ts'
import type { Scenario } from '../../../sim/scenario/scenario.ts'
import { knownAxis, labelOf, type KnownAxis, type TuneAxis } from './axes.ts'

/** Returns the configuration of a scenario's queue, with all defaults. */
export function configurationOf({ queue = {} }: Scenario): Configuration {
  const { state: _state, ...set } = queue
  return configurationWith(set)
}

/** Returns the default axes. Each has today's value, and modes only where targets are known. */
export function laddersOf(scenario: Scenario): TuneAxis[] {
  const today = configurationOf(scenario)
  const axes = [
    ladder('batch', ['off', '2', '4', '8', '16'], today),
    ladder('wait', ['0', '2', '5', '10'], today),
    ladder('concurrency', around(today.concurrency), today),
    ladder('depth', ['0', '1', '2'], today),
    ladder('optimistic', ['off', 'on'], today),
    ladder('policy', ['documented', 'adaptive'], today),
  ]
  return hasTargets(scenario) ? [...axes, ladder('mode', ['single', 'parallel'], today)] : axes
}

/**
 * Returns the axis of bisection slots. It matters less than the others, so only the last rung of
 * the search tries it, around the settings that are left.
 */
export function bisectionLadder(scenario: Scenario): TuneAxis {
  const today = configurationOf(scenario)
  return ladder('bisection', around(bisectionSlots(today)), today)
}

/**
 * Returns finer ladders for a longer search, with the steps between those of the others. They are
 * tried only around the settings that are left of these.
 */
export function fineLaddersOf(scenario: Scenario): TuneAxis[] {
  const today = configurationOf(scenario)
  const { concurrency } = today
  const steps = [1 / 2, 3 / 4, 1, 3 / 2, 2, 3].map((times) => Math.round(times * concurrency))
  const slots = [...new Set(steps.filter((each) => each > 0))]
  return [
    ladder('batch', ['off', '2', '3', '4', '6', '8', '12', '16'], today),
    ladder('wait', ['0', '1', '2', '3', '5', '7', '10', '15'], today),
    ladder('concurrency', slots.map(String), today),
  ]
}

function ladder(name: KnownAxis, values: readonly string[], today: Configuration): TuneAxis {
  const own = labelOf({ name }, today)
  const all = own === null || values.includes(own) ? values : [...values, own]
  // "off" is not a number and comes first; the sort keeps the order of other words.
  const rank = (text: string): number => (/^\d+$/.test(text) ? Number(text) : -1)
  return knownAxis(name, all.toSorted((a, b) => rank(a) - rank(b)).join(','))
}

/** Half of a number of slots, the number itself, and twice as many. */
function around(slots: number): string[] {
  const values = [Math.max(1, Math.floor(slots / 2)), slots, 2 * slots]
  return [...new Set(values)].map(String)
}

function hasTargets({ pullRequests = [], traffic }: Scenario): boolean {
  return traffic?.targets !== undefined || pullRequests.some(({ targets }) => targets !== undefined)
}
