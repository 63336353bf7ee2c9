/** What is varied: an axis per setting, and the grid of everything with everything. */

import { bisectionSlots, targetBatchSize, type Configuration } from '../../engine/index.ts'
import { badUsage } from '../../sim/command-line/parse-options.ts'

/** Fields of the scenario by dotted path, and what each is set to. */
export type Assignments = Readonly<Record<string, unknown>>

export type Axis = {
  /** As it is asked for: `batch`, `wait`, or a dotted path. */
  readonly name: string
  /** What it is called. */
  readonly title: string
  /** Of its values; may be empty. */
  readonly unit: string
  readonly values: readonly AxisValue[]
}

export type AxisValue = { readonly label: string; readonly assignments: Assignments }

type Known = {
  readonly title: string
  readonly unit?: string
  /** What the values must be, in words. */
  readonly expected: string
  /** Null where the text is no value of it. */
  readonly read: (text: string) => Assignments | null
  /** What a queue has, as its value would be given. */
  readonly of: (queue: Configuration) => string
}

const wholeFrom = (path: string, least: number) => (text: string) =>
  /^\d{1,9}$/.test(text) && Number(text) >= least ? { [path]: Number(text) } : null

/** The axes that have an option of their own. */
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
    expected: 'whole numbers from 1 on',
    read: wholeFrom('queue.concurrency', 1),
    of: (queue) => String(queue.concurrency),
  },
  bisection: {
    title: 'bisection concurrency',
    expected: 'whole numbers from 1 on',
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
    read: (text) =>
      text === 'on' || text === 'off' ? { 'queue.canOptimisticallyMerge': text === 'on' } : null,
    of: (queue) => (queue.canOptimisticallyMerge ? 'on' : 'off'),
  },
} as const satisfies Record<string, Known>

export type KnownAxis = keyof typeof knownAxes

export const knownAxisNames: readonly KnownAxis[] = [
  'batch',
  'wait',
  'concurrency',
  'bisection',
  'depth',
  'optimistic',
]

/** The axis of `--batch 1,2,4`. Throws `BadInput` where a value makes no sense. */
export function knownAxis(name: KnownAxis, list: string): Axis {
  const { title, unit = '', expected, read }: Known = knownAxes[name]
  const values = list.split(',').map((label) => {
    const assignments = read(label)
    if (!assignments) throw badUsage('tune', `--${name} ${list}`, expected)
    return { label, assignments }
  })
  return { name, title, unit, values: distinct(name, values) }
}

/** The axis of `--set path=1,2,3`; with one value it sets the field for everybody. */
export function freeAxis(setting: string): Axis {
  const cut = setting.indexOf('=')
  const path = setting.slice(0, Math.max(0, cut))
  if (path === '') throw badUsage('tune', `--set ${setting}`, 'path=value, or path=value,value')
  const text = setting.slice(cut + 1)
  const whole = parsed(text)
  const isOne = typeof whole !== 'string' || !text.includes(',')
  const values = (isOne ? [text] : text.split(',')).map((label) => ({
    label,
    assignments: { [path]: parsed(label) },
  }))
  const title = path.replace(/^queue\./, '')
  return { name: path, title, unit: '', values: distinct(path, values) }
}

/** What a queue has there now; null for what is no setting of the queue with a plain value. */
export function labelToday({ name }: Axis, queue: Configuration): string | null {
  const known = knownAxisNames.find((each) => each === name)
  if (known) return knownAxes[known].of(queue)
  const value: unknown = new Map(Object.entries(queue)).get(name.replace(/^queue\./, ''))
  const isPlain = typeof value === 'number' || typeof value === 'boolean'
  return isPlain || typeof value === 'string' ? String(value) : null
}

/** JSON where it parses, else the text itself: as `--set` of the simulator takes it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function distinct(name: string, values: readonly AxisValue[]): readonly AxisValue[] {
  const labels = values.map(({ label }) => label)
  const twice = labels.find((label, index) => labels.indexOf(label) !== index)
  if (twice !== undefined) throw badUsage('tune', `${twice} twice for ${name}`, 'each value once')
  return values
}

/** As the head of a column or the title of an axis. */
export function headOf({ title, unit }: Pick<Axis, 'title' | 'unit'>): string {
  return unit === '' ? title : `${title}, ${unit}`
}

/** Everything with everything, the last axis turning fastest: a label per axis. */
export function combinations(axes: readonly Axis[]): readonly (readonly AxisValue[])[] {
  return axes.reduce<readonly (readonly AxisValue[])[]>(
    (rows, { values }) => rows.flatMap((row) => values.map((value) => [...row, value])),
    [[]],
  )
}
