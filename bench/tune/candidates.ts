/** The settings that a search may try. */

import { type Configuration, bisectionSlots, targetBatchSize } from '../../engine/index.ts'
import { shellWord } from '../../server/terminal/text.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { applySettings } from '../../sim/scenario/settings.ts'
import { labelOfValue, mostSlots } from '../queues/queue.ts'
import type { OtherQueueName, Value, Values } from '../queues/queue.ts'
import { combinations, configurationOf, labelOf, valueName } from './axes.ts'
import type { Assignments, AxisValue, OtherToday, TuneAxis } from './axes.ts'
import type { ModelChange } from './model-change.ts'

export type Candidate = {
  /** What differs from today's setting, by axis: `batch size 2, optimistic merging on`. Unique. */
  readonly name: string
  /** The values by axis name. */
  readonly labels: Readonly<Record<string, string>>
  /** Only the fields that differ from today's. */
  readonly assignments: Assignments
  readonly scenario: Scenario
  /** The setting of another product's queue; null for one of Mergeyard's. */
  readonly other: OtherSetting | null
  /** The kinds of unproven merges that it can make. */
  readonly kinds: readonly UnprovenKind[]
  /** The most main runs at once. */
  readonly slots: number
  /** The same text for settings that act alike. */
  readonly key: string
  /** True for the setting of the scenario file. */
  readonly isToday: boolean
  /** What is assumed otherwise than in the scenario; null but where that is examined. */
  readonly change: ModelChange | null
}

export type OtherSetting = {
  readonly queue: OtherQueueName
  readonly values: Values
  /** How many runs it may have at once: its own limit, or that of the runners. */
  readonly slots: number
}

const todayName = "today's setting"

/** A setting as its queue knows it, before it is compared with today's. */
type Described = Omit<Candidate, 'name' | 'isToday' | 'change'>

/** Makes the settings of a queue on some axes. */
export class Candidates {
  readonly today: Candidate
  readonly #axes: readonly TuneAxis[]
  readonly #described: (assignments: Assignments) => Described

  constructor(axes: readonly TuneAxis[], described: (assignments: Assignments) => Described) {
    this.#axes = axes
    this.#described = described
    this.today = { ...described({}), name: todayName, isToday: true, change: null }
  }

  /** Returns the setting with these on top of today's. Throws `BadInput` if one is invalid. */
  with(assignments: Assignments): Candidate {
    const found = this.#described(assignments)
    const { key, labels } = this.today
    if (found.key === key) return this.today
    const words = this.#axes.flatMap((axis) => {
      const label = found.labels[axis.name] ?? idle
      return label === labels[axis.name] || label === idle ? [] : [valueName(axis, label)]
    })
    return { ...found, name: words.join(', ') || todayName, isToday: false, change: null }
  }
}

/** The settings of Mergeyard's queue in a scenario. */
export function ownCandidates(scenario: Scenario, axes: readonly TuneAxis[]): Candidates {
  const { name, queue: todays = {} } = scenario
  // The queue alone: a long history is not checked again for each setting.
  const queueOnly = { name, queue: todays, pullRequests: [] }
  const todaysModel = modelText(scenario)
  const applied = (assignments: Assignments): Pick<Candidate, 'scenario' | 'key'> => {
    const settings = settingsOf(assignments)
    if (settings.every((setting) => setting.startsWith(prefix))) {
      const { queue = {} } = applySettings(queueOnly, settings)
      const changed = { ...scenario, queue }
      return { scenario: changed, key: queueKey(changed) }
    }
    const changed = applySettings(scenario, settings)
    const model = modelText(changed)
    const queue = queueKey(changed)
    return { scenario: changed, key: model === todaysModel ? queue : `${queue} ${model}` }
  }
  return new Candidates(axes, (assignments) => {
    const found = applied(assignments)
    const queue = configurationOf(found.scenario)
    const labels = axes.map((axis) => [axis.name, labelIn(axis, queue, assignments)] as const)
    let effective = assignments
    for (const path of Object.keys(assignments)) {
      const { [path]: _value, ...others } = effective
      if (applied(others).key === found.key) effective = others
    }
    return {
      ...found,
      labels: Object.fromEntries(labels),
      assignments: effective,
      other: null,
      kinds: kindsOf(queue),
      slots: queue.concurrency,
    }
  })
}

/** The settings of another product's queue. The runners take at most so many runs. */
export function otherCandidates(
  { queue, values: todays }: OtherToday,
  scenario: Scenario,
  axes: readonly TuneAxis[],
  runners = mostSlots(configurationOf(scenario).concurrency),
): Candidates {
  const normal = (values: Values): Values => queue.normal(values, todays)
  const before = normal(todays)
  return new Candidates(axes, (assignments) => {
    const values = normal({ ...todays, ...valuesIn(assignments) })
    const slots = Math.min(runners, queue.slots(values) ?? Infinity)
    const labels = axes.map(({ name }) => [name, labelOfValue(values[name] ?? null)] as const)
    const changed = Object.entries(values).filter(([name, value]) => value !== before[name])
    return {
      scenario,
      slots,
      labels: Object.fromEntries(labels),
      assignments: Object.fromEntries(changed),
      other: { queue: queue.name, values, slots },
      kinds: queue.kinds(values),
      key: JSON.stringify(values),
    }
  })
}

export function valuesIn(assignments: Assignments): Values {
  const isValue = (each: readonly [string, unknown]): each is [string, Value] =>
    each[1] === null || ['number', 'string', 'boolean'].includes(typeof each[1])
  return Object.fromEntries(Object.entries(assignments).filter(isValue))
}

/** The label of a value without effect: the wait of a queue without batches. */
const idle = '-'

function labelIn(axis: TuneAxis, queue: Configuration, assignments: Assignments): string {
  if (axis.name === 'wait' && !queue.batch) return idle
  const own = axis.values.find(({ assignments: each }) =>
    Object.entries(each).every(
      ([path, value]) => JSON.stringify(assignments[path]) === JSON.stringify(value),
    ),
  )
  return own?.label ?? labelOf(axis, queue) ?? 'file'
}

/** Returns all other values of an axis, with the rest of the setting as it is. */
export function around(
  made: Candidates,
  { assignments, key: own }: Candidate,
  { values }: TuneAxis,
): Candidate[] {
  const all = values.map((value) => made.with({ ...assignments, ...value.assignments }))
  return distinct(all).filter(({ key }) => key !== own)
}

export function distinct(candidates: readonly Candidate[]): Candidate[] {
  return [...new Map(candidates.map((candidate) => [candidate.key, candidate])).values()]
}

/** Returns the same setting of a scenario that is otherwise. */
export function within(candidate: Candidate, changed: Partial<Scenario>): Candidate {
  return { ...candidate, scenario: { ...candidate.scenario, ...changed } }
}

export function settingsOf(assignments: Assignments): string[] {
  return Object.entries(assignments).map(([path, value]) => `${path}=${JSON.stringify(value)}`)
}

/** All but the queue. */
function modelText({ queue: _queue, ...model }: Scenario): string {
  return JSON.stringify(model)
}

/** Fills in the defaults of the queue, and leaves out fields without effect. */
function queueKey(scenario: Scenario): string {
  const { queue = {} } = scenario
  const configuration = configurationOf(scenario)
  const { batch, batchingMinSize, batchingMaxWaitTimeMinutes, ...rest } = configuration
  const { bisectionConcurrency: _bisection, ...others } = rest
  return JSON.stringify([
    queue.state ?? 'RUNNING',
    others,
    bisectionSlots(configuration),
    batch ? [batchingMinSize, batchingMaxWaitTimeMinutes] : null,
  ])
}

// The combinations of the axes, in the order of their distance from today's setting.

export type CandidateLimits = {
  readonly most: number
  readonly isAllowed: (candidate: Candidate) => boolean
}

/**
 * Returns all combinations of the axes that act differently, today's first and its nearest
 * neighbours next: at most so many, and only those that may be advised, besides today's.
 */
export function candidatesOf(
  made: Candidates,
  axes: readonly TuneAxis[],
  { most, isAllowed: mayBe }: CandidateLimits,
): Candidate[] {
  const rows = combinations(axes).map((row) => ({ row, steps: stepsFrom(made.today, axes, row) }))
  const nearest = rows.toSorted((a, b) => a.steps - b.steps).map(({ row }) => row)
  const found = new Map([[made.today.key, made.today]])
  for (const row of nearest) {
    if (found.size >= most) break
    const candidate = made.with(
      Object.fromEntries(row.flatMap(({ assignments }) => Object.entries(assignments))),
    )
    if (!found.has(candidate.key) && mayBe(candidate)) found.set(candidate.key, candidate)
  }
  return [...found.values()]
}

/** How many steps on the ladders a combination is away from today's setting. */
function stepsFrom(
  { labels }: Candidate,
  axes: readonly TuneAxis[],
  row: readonly AxisValue[],
): number {
  return axes.reduce((sum, { name, values }, index) => {
    const at = values.findIndex(({ label }) => label === row[index]?.label)
    const today = values.findIndex(({ label }) => label === labels[name])
    return sum + Math.abs(at - Math.max(0, today))
  }, 0)
}

// The kinds of merges without a run of exactly that tree, and which settings can make them.

export const unprovenKindNames = [
  'mid-batch',
  'cleared-by-successor',
  'disjoint-targets',
  'direct',
] as const

/** `cleared-by-successor` needs optimistic merging, `disjoint-targets` the parallel mode. */
export type UnprovenKind = (typeof unprovenKindNames)[number]

/**
 * Returns the kinds that a queue with this configuration can make by itself. Merges by hand are
 * never its own.
 */
export function kindsOf(queue: Readonly<Configuration>): UnprovenKind[] {
  return [
    ...(targetBatchSize(queue) > 1 ? (['mid-batch'] as const) : []),
    ...(queue.canOptimisticallyMerge ? (['cleared-by-successor'] as const) : []),
    ...(queue.mode === 'parallel' ? (['disjoint-targets'] as const) : []),
    ...(queue.directMergeMode === 'off' ? [] : (['direct'] as const)),
  ]
}

/** True if a setting makes no kind that is not allowed. */
export function isAllowed(
  { kinds }: { readonly kinds: readonly UnprovenKind[] },
  allowed: readonly UnprovenKind[],
): boolean {
  return kinds.every((kind) => allowed.includes(kind))
}

// The curl command that applies a setting to a running server.

export type QueueAddress = {
  readonly server: string
  readonly repo: { readonly host: string; readonly owner: string; readonly name: string }
  readonly branch: string
  /** True if the command did not name the branch. */
  readonly isUsualBranch?: boolean
}

const prefix = 'queue.'

/**
 * Returns the command for a POSIX shell. The shell reads the token from the environment, so the
 * command does not contain it. Returns null if no assignment is a setting of the queue.
 */
export function curlLine(assignments: Assignments, address: QueueAddress): string | null {
  const set = Object.entries(assignments).flatMap(([path, value]) =>
    path.startsWith(prefix) ? [[path.slice(prefix.length), value] as const] : [],
  )
  if (set.length === 0) return null
  const { server, repo, branch } = address
  const body = { repo, targetBranch: branch, ...Object.fromEntries(set) }
  return [
    'curl -fsS -X POST',
    shellWord(`${server.replace(/\/+$/, '')}/v1/updateQueue`),
    '-H "x-api-token: $MERGEYARD_TOKEN"',
    "-H 'content-type: application/json'",
    `-d ${shellWord(JSON.stringify(body))}`,
  ].join(' ')
}
