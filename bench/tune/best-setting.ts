/**
 * The best setting of a queue in a comparison: by p95 time to land and CI minutes alike, on other
 * seeds than those of the comparison, and with one budget for every queue. All have equal slots.
 */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import { badUsage } from '../../server/terminal/options.ts'
import { labelOfValue, mostSlots, usualValues } from '../queues/queue.ts'
import type { Parameter, Value, Values, OtherQueue } from '../queues/queue.ts'
import { splitOf, withEqualSlots } from '../queues/fair-scenario.ts'
import { configurationOf, valueName, laddersOf } from './axes.ts'
import type { Assignments, AxisValue, TuneAxis, Ladders } from './axes.ts'
import { type Candidate, type CandidateSource, todayName, Candidates } from './candidates.ts'
import { preferencesOf } from './figures.ts'
import type { Budget, SettingRunner } from './runner.ts'
import { bestFirst, searched } from './search.ts'

// The settings of another product's queue.

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

type BestRequest = {
  readonly scenario: Scenario
  /** Null for Mergeyard. */
  readonly queue: OtherQueue | null
  readonly budget: Budget
  /** The first of the seeds of the search. */
  readonly firstSeed: number
}

export async function bestSetting(
  runner: SettingRunner,
  { scenario, queue, budget, firstSeed }: BestRequest,
): Promise<Candidate> {
  const slots = configurationOf(scenario).concurrency
  const { ladders, made } = queue ? otherSpace(queue, scenario, slots) : ownSpace(scenario, slots)
  const isAllowed = (candidate: Candidate): boolean =>
    candidate.other !== null || fitsIn(candidate.scenario, slots)
  const preferences = preferencesOf('balance', false)
  const options = { budget, firstSeed, isAllowed, preferences, made, ladders, hasFinal: false }
  const { tried, today } = await searched(runner, options)
  return bestFirst(tried, 'balance')[0]?.candidate ?? today
}

export type Space = { readonly ladders: Ladders; readonly made: CandidateSource }

function ownSpace(scenario: Scenario, slots: number): Space {
  const today = withEqualSlots(scenario)
  const { grid, steps } = laddersOf(today, false)
  const split = (axes: readonly TuneAxis[]): TuneAxis[] => [
    ...axes.filter(({ name }) => name !== 'concurrency' && name !== 'bisection'),
    splitAxis(slots),
  ]
  const ladders = { grid: split(grid), steps: split(steps) }
  return { ladders, made: new Candidates(today, ladders.steps) }
}

/** Gives another queue no more runners than slots. */
function otherSpace(queue: OtherQueue, scenario: Scenario, slots: number): Space {
  const usual = usualValues(queue)
  const axes = otherLadders(queue, scenario, usual)
  const made = new OtherCandidates(queue, scenario, usual, axes, slots)
  return { ladders: { grid: axes, steps: axes }, made }
}

// How Mergeyard may divide its slots into main ones and those for bisections.

/** Returns the axis of all divisions that are searched, of this many slots in all. */
export function splitAxis(slots: number): TuneAxis {
  const bisections = [...new Set([1, 2, 3, Math.floor(slots / 2)])]
  const splits = [{ concurrency: slots, bisectionConcurrency: 1 }]
  splits.push(...bisections.map((each) => splitOf(slots, each)))
  const values = splits.map((split) => ({
    label: `${split.concurrency} and ${split.bisectionConcurrency}`,
    assignments: {
      'queue.concurrency': split.concurrency,
      'queue.bisectionConcurrency': split.bisectionConcurrency,
    },
  }))
  const distinct = values.filter(
    ({ label }, index) => values.findIndex((other) => other.label === label) === index,
  )
  return { name: 'slots', title: 'slots', unit: '', values: distinct }
}

/** True if a queue never has more runs than slots. Without batches it never bisects. */
export function fitsIn(scenario: Scenario, slots: number): boolean {
  const { batch, concurrency, bisectionConcurrency } = configurationOf(scenario)
  if (!batch) return concurrency <= slots
  const bisections = bisectionConcurrency ?? concurrency
  return concurrency + bisections <= Math.max(2, slots)
}
