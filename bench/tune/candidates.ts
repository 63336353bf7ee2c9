/** The settings that are tried, and which of them is today's. */

import { configurationWith } from '../../engine/index.ts'
import { badUsage } from '../../sim/command-line/parse-options.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { applySettings } from '../../sim/scenario/settings.ts'
import { combinations, labelToday, type Assignments, type Axis } from './axes.ts'

export type Candidate = {
  /** `batch size 4, wait 5 min`: short and unique. */
  readonly name: string
  /** By the axes' names, as they were asked for; empty for today's where it is outside the grid. */
  readonly labels: Readonly<Record<string, string>>
  readonly assignments: Assignments
  readonly scenario: Scenario
  /** What the scenario file says. */
  readonly isToday: boolean
}

/** More would take days, and nobody could read the result. */
const mostCandidates = 1000

/** The grid, with today's setting added where it is not in it. Throws `BadInput`. */
export function candidatesOf(scenario: Scenario, axes: readonly Axis[]): Candidate[] {
  const size = axes.reduce((product, { values }) => product * values.length, 1)
  if (size > mostCandidates) {
    throw badUsage('tune', `a grid of ${size} settings`, `at most ${mostCandidates}`)
  }
  const today = essenceOf(scenario)
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
      isToday: essenceOf(applied) === today,
    }
  })
  if (grid.some(({ isToday }) => isToday)) return grid
  return [
    ...grid,
    { name: todayName(scenario, axes), labels: {}, assignments: {}, scenario, isToday: true },
  ]
}

/** `today's: batch size 4, wait 5 min`, by what is varied. */
function todayName({ queue }: Scenario, axes: readonly Axis[]): string {
  const { state: _state, ...set } = queue ?? {}
  const configuration = configurationWith(set)
  const parts = axes.flatMap((axis) => {
    const label = labelToday(axis, configuration)
    return label === null ? [] : [nameOf(axis, label)]
  })
  return parts.length === 0 ? "today's, as in the file" : `today's: ${parts.join(', ')}`
}

function nameOf({ title, unit }: Axis, label: string): string {
  return [title, label, unit].filter((part) => part !== '').join(' ')
}

/** As `--set` takes them. */
export function settingsOf(assignments: Assignments): string[] {
  return Object.entries(assignments).map(([path, value]) => `${path}=${JSON.stringify(value)}`)
}

/** The same text for scenarios that mean the same, whatever they leave to the defaults. */
function essenceOf({ queue = {}, ...rest }: Scenario): string {
  const { state = 'RUNNING', ...set } = queue
  return JSON.stringify([rest, state, configurationWith(set)])
}
