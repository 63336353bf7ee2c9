/** The settings of another product's queue. */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import { badUsage } from '../../server/terminal/options.ts'
import {
  type Parameter,
  type Value,
  type Values,
  labelOfValue,
  mostSlots,
} from '../queues/parameters.ts'
import type { OtherQueue } from '../queues/queue.ts'
import {
  type Assignments,
  type AxisValue,
  type TuneAxis,
  configurationOf,
  valueName,
} from './axes.ts'
import { type Candidate, type CandidateSource, todayName } from './candidates.ts'

/** Returns the axes that are searched without a word in the command. Each has today's value. */
export function otherLadders(
  { parameters }: OtherQueue,
  scenario: Scenario,
  today: Values,
): TuneAxis[] {
  const slots = slotsIn(scenario)
  return parameters.flatMap((parameter) => {
    const values = parameter.ladder(slots)
    const own = today[parameter.name] ?? null
    const all = values.includes(own) ? values : [...values, own].toSorted(byNumber)
    return values.length === 0 ? [] : [axisOf(parameter, all)]
  })
}

/** Returns the axis of `--set max_entries_to_build=2,5`. Throws `BadInput` for an invalid value. */
export function otherAxis(parameter: Parameter, list: string): TuneAxis {
  const { name, expected } = parameter
  const values = list.split(',').map((text) => {
    const read = parameter.read(text)
    if (!read) throw badUsage('tune', `${name}=${text}`, expected)
    return read.value
  })
  return axisOf(parameter, values)
}

function axisOf({ name, title, unit }: Parameter, values: readonly Value[]): TuneAxis {
  return { name, title, unit, values: [...new Set(values)].map((value) => axisValue(name, value)) }
}

function axisValue(name: string, value: Value): AxisValue {
  return { label: labelOfValue(value), assignments: { [name]: value } }
}

/** Sorts numbers, and leaves other values where they are. */
function byNumber(a: Value, b: Value): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : 0
}

function slotsIn(scenario: Scenario): number {
  return configurationOf(scenario).concurrency
}

/** Makes the settings of a queue whose setting today is known. */
export class OtherCandidates implements CandidateSource {
  readonly today: Candidate
  readonly #queue: OtherQueue
  readonly #scenario: Scenario
  readonly #values: Values
  readonly #axes: readonly TuneAxis[]
  /** How many runs the runners take. */
  readonly #runners: number

  constructor(
    queue: OtherQueue,
    scenario: Scenario,
    values: Values,
    axes: readonly TuneAxis[],
    runners = mostSlots(configurationOf(scenario).concurrency),
  ) {
    this.#queue = queue
    this.#runners = runners
    this.#scenario = scenario
    this.#values = values
    this.#axes = axes
    this.today = this.#candidateOf({})
  }

  with(assignments: Assignments): Candidate {
    const candidate = this.#candidateOf(assignments)
    return candidate.key === this.today.key ? this.today : candidate
  }

  #candidateOf(assignments: Assignments): Candidate {
    const set = Object.entries(assignments).flatMap(([name, value]) =>
      isValue(value) ? [[name, value] as const] : [],
    )
    const values = this.#normal({ ...this.#values, ...Object.fromEntries(set) })
    const before = this.#normal(this.#values)
    const slots = Math.min(this.#runners, this.#queue.slots(values) ?? Infinity)
    const labelIn = (of: Values, name: string): string => labelOfValue(of[name] ?? null)
    const isChanged = (name: string): boolean => values[name] !== before[name]
    const changed = this.#axes.filter(({ name }) => isChanged(name))
    return {
      name:
        changed.map((axis) => valueName(axis, labelIn(values, axis.name))).join(', ') || todayName,
      labels: Object.fromEntries(this.#axes.map(({ name }) => [name, labelIn(values, name)])),
      assignments: Object.fromEntries(Object.entries(values).filter(([name]) => isChanged(name))),
      scenario: this.#scenario,
      other: { queue: this.#queue.name, values, slots },
      kinds: this.#queue.kinds(values),
      slots,
      key: JSON.stringify(values),
      isToday: JSON.stringify(values) === JSON.stringify(before),
      change: null,
    }
  }

  #normal(values: Values): Values {
    return this.#queue.normal(values, this.#values)
  }
}

function isValue(value: unknown): value is Value {
  return value === null || ['number', 'string', 'boolean'].includes(typeof value)
}
