/** Reads the options of `mergeyard tune --for` another product's queue. */

import { badUsage, type ParsedOptions } from '../../../terminal/options.ts'
import { otherQueue, otherQueueNames } from '../../queues/index.ts'
import { type Values, usualValues } from '../../queues/parameters.ts'
import type { OtherQueue } from '../../queues/queue.ts'
import { freeAxis, type TuneAxis } from '../../tune/settings/axes.ts'
import { otherAxis } from '../../tune/settings/other-candidates.ts'
import type { table } from './usage.ts'

export type OtherOptions = {
  readonly queue: OtherQueue
  readonly today: Values
  /** The axes that are searched; null for all. */
  readonly axes: readonly TuneAxis[] | null
  /** The parameters that have one value in every setting. */
  readonly fixed: readonly string[]
}

type Parsed = ParsedOptions<typeof table>

type Read = {
  /** Null for Mergeyard's own queue. */
  readonly other: OtherOptions | null
  /** The values of --set that are of the scenario. */
  readonly settings: readonly string[]
}

/** Converts the options. Throws `BadInput` for an invalid value. */
export function otherOptions(parsed: Parsed, known: readonly TuneAxis[]): Read {
  const text = parsed.value('for')
  const name = otherQueueNames.find((each) => each === text)
  const [today, set] = [parsed.list('today'), parsed.list('set')]
  if (!name) {
    if (text !== 'mergeyard') {
      throw parsed.fault('for', `mergeyard, ${otherQueueNames.join(', ')}`)
    }
    if (today.length === 0) return { other: null, settings: set }
    throw badUsage('tune', `--today ${today.join(' ')}`, '--for another queue as well')
  }
  const queue = otherQueue(name)
  const [axis] = known
  if (axis) throw badUsage('tune', `--${axis.name} with --for ${name}`, `--set ${namesOf(queue)}`)
  const own = set.filter((each) => parameterIn(queue, each) !== null)
  const axes = own.map((each) => axisOf(queue, each))
  const wide = axes.filter(({ values }) => values.length > 1)
  const fixed = axes.filter(({ values }) => values.length === 1)
  const named = today.map((each) => todayOf(queue, each))
  return {
    other: {
      queue,
      today: valuesWith(queue, [...named, ...fixed]),
      axes: wide.length === 0 ? null : wide,
      fixed: fixed.map((each) => each.name),
    },
    settings: set.filter((each) => !own.includes(each)).map((each) => singleOf(queue, each)),
  }
}

function parameterIn({ parameters }: OtherQueue, setting: string) {
  const [name] = setting.split('=')
  return parameters.find((each) => each.name === name) ?? null
}

function axisOf(queue: OtherQueue, setting: string): TuneAxis {
  const parameter = parameterIn(queue, setting)
  if (parameter) return otherAxis(parameter, setting.slice(parameter.name.length + 1))
  throw badUsage('tune', setting, `one of ${namesOf(queue)}`)
}

function todayOf(queue: OtherQueue, setting: string): TuneAxis {
  const axis = axisOf(queue, setting)
  if (axis.values.length === 1) return axis
  throw badUsage('tune', `--today ${setting}`, 'one value')
}

/** A field of the scenario may have one value: it holds for Mergeyard and the other queue. */
function singleOf(queue: OtherQueue, setting: string): string {
  const path = setting.split('=')[0] ?? ''
  if (path.includes('.') && freeAxis(setting).values.length === 1) return setting
  throw badUsage('tune', `--set ${setting}`, `path.of.the.scenario=value, or ${namesOf(queue)}`)
}

function namesOf({ parameters }: OtherQueue): string {
  return parameters.map(({ name }) => name).join(', ')
}

function valuesWith(queue: OtherQueue, axes: readonly TuneAxis[]): Values {
  const set = axes.flatMap(({ name, values }) => {
    const parameter = queue.parameters.find((each) => each.name === name)
    const read = parameter?.read(values[0]?.label ?? '')
    return read ? [[name, read.value] as const] : []
  })
  return { ...usualValues(queue), ...Object.fromEntries(set) }
}
