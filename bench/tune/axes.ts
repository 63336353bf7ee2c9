/** The axes of a tune run, one per varied field, and the values that are searched on them. */

import {
  bisectionSlots,
  configurationWith,
  targetBatchSize,
  type Configuration,
} from '../../engine/index.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { valueOf } from '../../sim/scenario/settings.ts'
import { badUsage } from '../../server/terminal/options.ts'
import { namesIn } from '../queues/names-in.ts'
import { labelOfValue } from '../queues/queue.ts'
import type { OtherQueue, Parameter, Value, Values } from '../queues/queue.ts'

/** Values for fields of the scenario, by dotted path. */
export type Assignments = Readonly<Record<string, unknown>>

/** Another product's queue and its setting today. */
export type OtherToday = { readonly queue: OtherQueue; readonly values: Values }

export type TuneAxis = {
  /** The name of its option, `batch` or `wait`, or a dotted path. */
  readonly name: string
  /** The name in reports. */
  readonly title: string
  /** The unit of its values; may be empty. */
  readonly unit: string
  readonly values: readonly AxisValue[]
}

export type AxisValue = { readonly label: string; readonly assignments: Assignments }

type AxisDefinition = {
  readonly title: string
  readonly unit?: string
  /** The valid values, for error messages. */
  readonly expected: string
  /** Parses a value. Returns null for an invalid one. */
  readonly read: (text: string) => Assignments | null
  /** The value of a queue, in the form that `read` parses. */
  readonly of: (queue: Configuration) => string
}

const wholeFrom = (path: string, least: number) => (text: string) =>
  /^\d{1,9}$/.test(text) && Number(text) >= least ? { [path]: Number(text) } : null

const onOrOff = (path: string) => (text: string) =>
  text === 'on' || text === 'off' ? { [path]: text === 'on' } : null

/** The axes with a separate option. */
const knownAxes = {
  batch: {
    title: 'batch size',
    expected: 'sizes from 1 on (1 means batches of one), or off',
    read: (text) => {
      if (text === 'off') return { 'queue.batch': false }
      const size = wholeFrom('queue.batchingMinSize', 1)(text)
      return size && { 'queue.batch': true, ...size }
    },
    of: (queue) => (queue.batch ? String(targetBatchSize(queue)) : 'off'),
  },
  wait: {
    title: 'wait',
    unit: 'min',
    expected: 'whole minutes',
    read: wholeFrom('queue.batchingMaxWaitTimeMinutes', 0),
    of: (queue) => String(queue.batchingMaxWaitTimeMinutes),
  },
  concurrency: {
    title: 'concurrency',
    expected: 'whole numbers from 1',
    read: wholeFrom('queue.concurrency', 1),
    of: (queue) => String(queue.concurrency),
  },
  bisection: {
    title: 'bisection concurrency',
    expected: 'whole numbers from 1',
    read: wholeFrom('queue.bisectionConcurrency', 1),
    of: (queue) => String(bisectionSlots(queue)),
  },
  depth: {
    title: 'pending failure depth',
    expected: 'whole numbers',
    read: wholeFrom('queue.pendingFailureDepth', 0),
    of: (queue) => String(queue.pendingFailureDepth),
  },
  optimistic: {
    title: 'optimistic merging',
    expected: 'on, off or on,off',
    read: onOrOff('queue.canOptimisticallyMerge'),
    of: (queue) => (queue.canOptimisticallyMerge ? 'on' : 'off'),
  },
  policy: {
    title: 'policy',
    expected: 'documented, adaptive or documented,adaptive',
    read: (text) =>
      text === 'documented' || text === 'adaptive' ? { 'queue.policy': text } : null,
    of: ({ policy }) => policy,
  },
  mode: {
    title: 'mode',
    expected: 'single, parallel or both',
    read: (text) => (text === 'single' || text === 'parallel' ? { 'queue.mode': text } : null),
    of: (queue) => queue.mode,
  },
} as const satisfies Record<string, AxisDefinition>

export type KnownAxis = keyof typeof knownAxes

export const knownAxisNames = namesIn(knownAxes)

/**
 * Returns the axis of an option such as `--batch 1,2,4`. Throws `BadInput` for an invalid value.
 */
export function knownAxis(name: KnownAxis, list: string): TuneAxis {
  const { title, unit = '', expected, read }: AxisDefinition = knownAxes[name]
  const values = list.split(',').map((label) => {
    const assignments = read(label)
    if (!assignments) throw badUsage('tune', `--${name} ${list}`, expected)
    return { label, assignments }
  })
  return { name, title, unit, values: distinct(name, values) }
}

/**
 * Returns the axis of `--set path=1,2,3`. A single value sets the field for all settings.
 * Throws `BadInput` if the path is missing or a value is repeated.
 */
export function freeAxis(setting: string): TuneAxis {
  const cut = setting.indexOf('=')
  const path = setting.slice(0, Math.max(0, cut))
  if (path === '') throw badUsage('tune', `--set ${setting}`, 'path=value, or path=value,value')
  const text = setting.slice(cut + 1)
  const whole = valueOf(text)
  const isSingle = typeof whole !== 'string' || !text.includes(',')
  const values = (isSingle ? [text] : text.split(',')).map((label) => ({
    label,
    assignments: { [path]: valueOf(label) },
  }))
  const title = path.replace(/^queue\./, '')
  return { name: path, title, unit: '', values: distinct(path, values) }
}

/** What a command asks to search. */
export type SearchedAxes = {
  /** The axes with several values; null for all that a maintainer can set. */
  readonly axes: readonly TuneAxis[] | null
  /** The fields of axes with one value. They are not searched, and have it in every setting. */
  readonly fixed: Assignments
}

export function searchedAxes(named: readonly TuneAxis[]): SearchedAxes {
  const axes = named.filter(({ values }) => values.length > 1)
  const single = named.flatMap(({ values }) => (values.length > 1 ? [] : values))
  const fixed = single.flatMap(({ assignments }) => Object.entries(assignments))
  return { axes: axes.length === 0 ? null : axes, fixed: Object.fromEntries(fixed) }
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
  const all = [...new Set(values)].map((value) => ({
    label: labelOfValue(value),
    assignments: { [name]: value },
  }))
  return { name, title, unit, values: all }
}

/**
 * Returns the value that a queue has on this axis; null if it is not a plain value of the queue.
 */
export function labelOf({ name }: Pick<TuneAxis, 'name'>, queue: Configuration): string | null {
  const known = knownAxisNames.find((each) => each === name)
  if (known) return knownAxes[known].of(queue)
  const value: unknown = new Map(Object.entries(queue)).get(name.replace(/^queue\./, ''))
  const isPlain = typeof value === 'number' || typeof value === 'boolean'
  return isPlain || typeof value === 'string' ? String(value) : null
}

function distinct(name: string, values: readonly AxisValue[]): readonly AxisValue[] {
  const labels = values.map(({ label }) => label)
  const twice = labels.find((label, index) => labels.indexOf(label) !== index)
  if (twice !== undefined) throw badUsage('tune', `${twice} twice for ${name}`, 'each value once')
  return values
}

/** Returns a value of an axis in words: `batch size 4`, `wait 5 min`, `no batches`. */
export function valueName(
  { name, title, unit }: Pick<TuneAxis, 'name' | 'title' | 'unit'>,
  label: string,
): string {
  if (name === 'batch' && label === 'off') return 'no batches'
  return [title, label, unit].filter((part) => part !== '').join(' ')
}

// The values that are searched when the command names none.

/** Returns the configuration of a scenario's queue, with all defaults. */
export function configurationOf({ queue = {} }: Scenario): Configuration {
  const { state: _state, ...set } = queue
  return configurationWith(set)
}

/** The axes of a search: all combinations of some values, and the steps beside a good setting. */
export type Ladders = { readonly grid: readonly TuneAxis[]; readonly steps: readonly TuneAxis[] }

/**
 * Returns the axes that are searched when the command names none, each with today's value. The grid
 * has what matters most, under the policy that is proposed. The steps have all that a maintainer can
 * set, in a long search with finer values.
 */
export function laddersOf(scenario: Scenario, isFine: boolean): Ladders {
  const today = configurationOf(scenario)
  const { concurrency } = today
  const batches = ladder('batch', ['off', '2', '4', '8', '16'], today)
  const slots = ladder('concurrency', times(concurrency, [1 / 2, 1, 2]), today)
  const optimistic = ladder('optimistic', ['off', 'on'], today)
  const mode = hasTargets(scenario) ? [ladder('mode', ['single', 'parallel'], today)] : []
  return {
    grid: [batches, slots, optimistic, knownAxis('policy', 'adaptive'), ...mode],
    steps: [
      isFine ? ladder('batch', ['off', '2', '3', '4', '6', '8', '12', '16'], today) : batches,
      ladder(
        'wait',
        isFine ? ['0', '1', '2', '3', '5', '7', '10', '15'] : ['0', '2', '5', '10'],
        today,
      ),
      isFine
        ? ladder('concurrency', times(concurrency, [1 / 2, 3 / 4, 1, 3 / 2, 2, 3]), today)
        : slots,
      ladder('depth', ['0', '1', '2'], today),
      optimistic,
      ladder('policy', ['documented', 'adaptive'], today),
      ...mode,
      ladder('bisection', times(bisectionSlots(today), [1 / 2, 1, 2]), today),
    ],
  }
}

function ladder(name: KnownAxis, values: readonly string[], today: Configuration): TuneAxis {
  const own = labelOf({ name }, today)
  const all = own === null || values.includes(own) ? values : [...values, own]
  // "off" is not a number and comes first; the sort keeps the order of other words.
  const rank = (text: string): number => (/^\d+$/.test(text) ? Number(text) : -1)
  return knownAxis(name, all.toSorted((a, b) => rank(a) - rank(b)).join(','))
}

/** Returns the axes of another product's queue that are searched, each with today's value. */
export function otherLadders({ queue, values: today }: OtherToday, scenario: Scenario): TuneAxis[] {
  const { concurrency } = configurationOf(scenario)
  // Numbers are sorted, and other values stay where they are.
  const byNumber = (a: Value, b: Value): number =>
    typeof a === 'number' && typeof b === 'number' ? a - b : 0
  return queue.parameters.flatMap((parameter) => {
    const values = parameter.ladder(concurrency)
    const own = today[parameter.name] ?? null
    const all = values.includes(own) ? values : [...values, own].toSorted(byNumber)
    return values.length === 0 ? [] : [axisOf(parameter, all)]
  })
}

/** Returns so many times as many slots, at least one. */
function times(slots: number, factors: readonly number[]): string[] {
  const values = factors.map((factor) => Math.max(1, Math.floor(factor * slots)))
  return [...new Set(values)].map(String)
}

function hasTargets({ pullRequests = [], traffic }: Scenario): boolean {
  return traffic?.targets !== undefined || pullRequests.some(({ targets }) => targets !== undefined)
}

/** More combinations are a mistake in the command. */
const mostCombinations = 100_000

/** Returns all combinations of values, one value per axis. The last axis varies fastest. */
export function combinations(axes: readonly TuneAxis[]): readonly (readonly AxisValue[])[] {
  const size = axes.reduce((product, { values }) => product * values.length, 1)
  if (size > mostCombinations) {
    throw badUsage('tune', `${size} combinations`, `at most ${mostCombinations}`)
  }
  return axes.reduce<readonly (readonly AxisValue[])[]>(
    (rows, { values }) => rows.flatMap((row) => values.map((value) => [...row, value])),
    [[]],
  )
}
