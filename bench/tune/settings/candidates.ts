/** The settings that a search may try. */

import { bisectionSlots, type Configuration } from '../../../engine/index.ts'
import type { Scenario } from '../../../sim/scenario/scenario.ts'
import type { OtherQueueName } from '../../queues/queue.ts'
import type { Values } from '../../queues/parameters.ts'
import { applySettings } from '../../../sim/scenario/settings.ts'
import type { ModelChange } from '../model/model-change.ts'
import { labelOf, valueName, type Assignments, type TuneAxis } from './axes.ts'
import { configurationOf } from './ladders.ts'
import { kindsOf, type UnprovenKind } from './unproven.ts'

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
  /** How many runs the runners take; twice the scenario's concurrency if it is not given. */
  readonly runners?: number
}

/** Makes the settings of a queue. */
export type CandidateSource = {
  readonly today: Candidate
  /** Returns the setting with these assignments on top of today's. */
  with(assignments: Assignments): Candidate
  /** Returns the neighbours of a setting on one axis: all its other values, the rest as it is. */
  around(candidate: Candidate, axis: TuneAxis): Candidate[]
}

export const todayName = "today's setting"

/** Makes the settings of a scenario on some axes. */
export class Candidates implements CandidateSource {
  readonly today: Candidate
  readonly #scenario: Scenario
  readonly #axes: readonly TuneAxis[]
  /** The queue alone: a long history is not checked again for each setting. */
  readonly #queueOnly: Scenario
  readonly #modelText: string

  constructor(scenario: Scenario, axes: readonly TuneAxis[]) {
    const { name, queue = {} } = scenario
    this.#scenario = scenario
    this.#axes = axes
    this.#queueOnly = { name, queue, pullRequests: [] }
    this.#modelText = modelText(scenario)
    this.today = this.#candidateOf({})
  }

  /** Throws `BadInput` if an assignment is invalid. */
  with(assignments: Assignments): Candidate {
    const candidate = this.#candidateOf(assignments)
    return candidate.key === this.today.key ? this.today : candidate
  }

  around(candidate: Candidate, axis: TuneAxis): Candidate[] {
    return neighbours(this, candidate, axis)
  }

  /** Returns the neighbours of a setting that are one step away on one axis. */
  nextTo(candidate: Candidate, { values, ...axis }: TuneAxis): Candidate[] {
    const at = values.findIndex(({ label }) => label === candidate.labels[axis.name])
    const near = values.filter((_, index) => Math.abs(index - at) === 1)
    return at === -1 ? [] : this.around(candidate, { ...axis, values: near })
  }

  #candidateOf(assignments: Assignments): Candidate {
    const { scenario, key } = this.#applied(assignments)
    const queue = configurationOf(scenario)
    const todays = configurationOf(this.#scenario)
    const values = this.#axes.map((axis) => ({
      axis,
      label: labelIn(axis, queue, assignments),
      todays: labelIn(axis, todays, {}),
    }))
    const changed = values.filter(({ label, todays: before }) => label !== before && label !== idle)
    return {
      name: changed.map(({ axis, label }) => valueName(axis, label)).join(', ') || todayName,
      labels: Object.fromEntries(values.map(({ axis, label }) => [axis.name, label])),
      assignments: this.#effective(assignments, key),
      scenario,
      other: null,
      kinds: kindsOf(queue),
      slots: queue.concurrency,
      key,
      isToday: key === this.#applied({}).key,
      change: null,
    }
  }

  /** Leaves out assignments without which the setting acts alike. */
  #effective(assignments: Assignments, key: string): Assignments {
    let left = assignments
    for (const path of Object.keys(assignments)) {
      const { [path]: _value, ...others } = left
      if (this.#applied(others).key === key) left = others
    }
    return left
  }

  #applied(assignments: Assignments): Pick<Candidate, 'scenario' | 'key'> {
    const settings = settingsOf(assignments)
    if (settings.every((setting) => setting.startsWith('queue.'))) {
      const { queue = {} } = applySettings(this.#queueOnly, settings)
      const scenario = { ...this.#scenario, queue }
      return { scenario, key: queueKey(scenario) }
    }
    const scenario = applySettings(this.#scenario, settings)
    const model = modelText(scenario)
    const queue = queueKey(scenario)
    return { scenario, key: model === this.#modelText ? queue : `${queue} ${model}` }
  }
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
export function neighbours(
  made: Pick<CandidateSource, 'with'>,
  { assignments, key: own }: Candidate,
  { values }: TuneAxis,
): Candidate[] {
  const all = values.map((value) => made.with({ ...assignments, ...value.assignments }))
  return distinct(all).filter(({ key }) => key !== own)
}

export function distinct(candidates: readonly Candidate[]): Candidate[] {
  return [...new Map(candidates.map((candidate) => [candidate.key, candidate])).values()]
}

/** Returns the assignments as values for `--set`. */
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
