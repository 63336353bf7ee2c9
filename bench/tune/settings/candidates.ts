/** The settings that a search may try, in the order of their distance from today's. */

import { bisectionSlots, type Configuration } from '../../../engine/index.ts'
import { badUsage } from '../../../sim/terminal/parse-options.ts'
import type { Scenario } from '../../../sim/scenario/scenario.ts'
import { applySettings } from '../../../sim/scenario/settings.ts'
import { labelOf, valueName, type Assignments, type AxisValue, type TuneAxis } from './axes.ts'
import { configurationOf } from './ladders.ts'

export type Candidate = {
  /** What differs from today's setting, by axis: `batch size 2, optimistic merging on`. Unique. */
  readonly name: string
  /** The values by axis name. */
  readonly labels: Readonly<Record<string, string>>
  /** Only the fields that differ from today's. */
  readonly assignments: Assignments
  readonly scenario: Scenario
  /** The same text for settings that act alike. */
  readonly key: string
  /** True for the setting of the scenario file. */
  readonly isToday: boolean
}

export const todayName = "today's setting"

/** More combinations are a mistake in the command. */
const mostCombinations = 100_000

/** Makes the settings of a scenario on some axes. */
export class Candidates {
  readonly today: Candidate
  readonly #scenario: Scenario
  readonly #axes: readonly TuneAxis[]

  constructor(scenario: Scenario, axes: readonly TuneAxis[]) {
    this.#scenario = scenario
    this.#axes = axes
    this.today = this.#candidateOf({})
  }

  /** Returns the setting with these assignments on top of today's. Throws `BadInput` if invalid. */
  with(assignments: Assignments): Candidate {
    const candidate = this.#candidateOf(assignments)
    return candidate.key === this.today.key ? this.today : candidate
  }

  /** Returns the neighbours of a setting on one axis: all its other values, the rest as it is. */
  around(candidate: Candidate, axis: TuneAxis): Candidate[] {
    const all = axis.values.map((value) =>
      this.with({ ...candidate.assignments, ...value.assignments }),
    )
    return distinct(all).filter(({ key }) => key !== candidate.key)
  }

  #candidateOf(assignments: Assignments): Candidate {
    const scenario = applySettings(this.#scenario, settingsOf(assignments))
    const queue = configurationOf(scenario)
    const todays = configurationOf(this.#scenario)
    const values = this.#axes.map((axis) => ({
      axis,
      label: labelIn(axis, queue, assignments),
      todays: labelIn(axis, todays, {}),
    }))
    const changed = values.filter(({ label, todays: before }) => label !== before && label !== idle)
    const key = keyOf(scenario)
    return {
      name: changed.map(({ axis, label }) => valueName(axis, label)).join(', ') || todayName,
      labels: Object.fromEntries(values.map(({ axis, label }) => [axis.name, label])),
      assignments: this.#effective(assignments, key),
      scenario,
      key,
      isToday: key === keyOf(this.#scenario),
    }
  }

  /** Leaves out assignments without which the setting acts alike. */
  #effective(assignments: Assignments, key: string): Assignments {
    let left = assignments
    for (const path of Object.keys(assignments)) {
      const { [path]: _value, ...others } = left
      if (keyOf(applySettings(this.#scenario, settingsOf(others))) === key) left = others
    }
    return left
  }
}

/** The label of a value without effect: the wait of a queue without batches. */
export const idle = '-'

function labelIn(axis: TuneAxis, queue: Configuration, assignments: Assignments): string {
  if (axis.name === 'wait' && !queue.batch) return idle
  const own = axis.values.find(({ assignments: each }) =>
    Object.entries(each).every(
      ([path, value]) => JSON.stringify(assignments[path]) === JSON.stringify(value),
    ),
  )
  return own?.label ?? labelOf(axis, queue) ?? 'file'
}

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
  { most, isAllowed }: CandidateLimits,
): Candidate[] {
  const rows = combinations(axes).map((row) => ({ row, steps: stepsFrom(made.today, axes, row) }))
  const nearest = rows.toSorted((a, b) => a.steps - b.steps).map(({ row }) => row)
  const found = new Map([[made.today.key, made.today]])
  for (const row of nearest) {
    if (found.size >= most) break
    const candidate = made.with(
      Object.fromEntries(row.flatMap(({ assignments }) => Object.entries(assignments))),
    )
    if (!found.has(candidate.key) && isAllowed(candidate)) found.set(candidate.key, candidate)
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

export function distinct(candidates: readonly Candidate[]): Candidate[] {
  return [...new Map(candidates.map((candidate) => [candidate.key, candidate])).values()]
}

/** Returns the assignments as values for `--set`. */
export function settingsOf(assignments: Assignments): string[] {
  return Object.entries(assignments).map(([path, value]) => `${path}=${JSON.stringify(value)}`)
}

/** Fills in the defaults of the queue, and leaves out fields without effect. */
function keyOf(scenario: Scenario): string {
  const { queue = {}, ...model } = scenario
  const configuration = configurationOf(scenario)
  const { batch, batchingMinSize, batchingMaxWaitTimeMinutes, ...rest } = configuration
  const { bisectionConcurrency: _bisection, ...others } = rest
  return JSON.stringify([
    model,
    queue.state ?? 'RUNNING',
    others,
    bisectionSlots(configuration),
    batch ? [batchingMinSize, batchingMaxWaitTimeMinutes] : null,
  ])
}
