/** The candidate settings of a tune run, and which of them is the current setting. */

import { configurationWith } from '../../engine/index.ts'
import { badUsage } from '../../sim/terminal/parse-options.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { applySettings } from '../../sim/scenario/settings.ts'
import { combinations, labelToday, type Assignments, type TuneAxis } from './axes.ts'

export type Candidate = {
  /** A short, unique name: `batch size 4, wait 5 min`. */
  readonly name: string
  /** The values by axis name. Empty for the current setting if it is outside the grid. */
  readonly labels: Readonly<Record<string, string>>
  readonly assignments: Assignments
  readonly scenario: Scenario
  /** True for the setting of the scenario file. */
  readonly isToday: boolean
}

/** More candidates would take days, and the result would be unreadable. */
const mostCandidates = 1000

/**
 * Returns the grid. The current setting is added if the grid does not contain it.
 * Throws `BadInput` if the grid is too large or the scenario does not accept a value.
 */
export function candidatesOf(scenario: Scenario, axes: readonly TuneAxis[]): Candidate[] {
  const size = axes.reduce((product, { values }) => product * values.length, 1)
  if (size > mostCandidates) {
    throw badUsage('tune', `a grid of ${size} settings`, `at most ${mostCandidates}`)
  }
  const today = canonicalText(scenario)
  const grid = combinations(axes).map((row): Candidate => {
    const assignments = Object.fromEntries(
      row.flatMap((value) => Object.entries(value.assignments)),
    )
    const applied = applySettings(scenario, settingsOf(assignments))
    const labels = axes.map(({ name }, index) => [name, row[index]?.label ?? ''] as const)
    return {
      name: axes.map((axis, index) => nameOf(axis, row[index]?.label ?? '')).join(', '),
      labels: Object.fromEntries(labels),
      assignments,
      scenario: applied,
      isToday: canonicalText(applied) === today,
    }
  })
  if (grid.some(({ isToday }) => isToday)) return grid
  return [
    ...grid,
    { name: todayName(scenario, axes), labels: {}, assignments: {}, scenario, isToday: true },
  ]
}

/** The name of the current setting, by the axes: `today's: batch size 4, wait 5 min`. */
function todayName({ queue }: Scenario, axes: readonly TuneAxis[]): string {
  const { state: _state, ...set } = queue ?? {}
  const configuration = configurationWith(set)
  const parts = axes.flatMap((axis) => {
    const label = labelToday(axis, configuration)
    return label === null ? [] : [nameOf(axis, label)]
  })
  return parts.length === 0 ? "today's, from the file" : `today's: ${parts.join(', ')}`
}

function nameOf({ title, unit }: TuneAxis, label: string): string {
  return [title, label, unit].filter((part) => part !== '').join(' ')
}

/** Returns the assignments as values for `--set`. */
export function settingsOf(assignments: Assignments): string[] {
  return Object.entries(assignments).map(([path, value]) => `${path}=${JSON.stringify(value)}`)
}

/** Returns the same text for equivalent scenarios: the defaults of the queue are filled in. */
function canonicalText({ queue = {}, ...rest }: Scenario): string {
  const { state = 'RUNNING', ...set } = queue
  return JSON.stringify([rest, state, configurationWith(set)])
}
