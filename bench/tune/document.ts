/**
 * The result document of a tune run. It holds no wall-clock time and no path, so fixed seeds give
 * the same bytes.
 */

import { differenceOf } from '../statistics/difference.ts'
import { intervalOf, type Interval } from '../statistics/interval.ts'
import { assumptionsOf } from './assumptions.ts'
import type { Assignments, TuneAxis } from './axes.ts'
import { curlLine, type QueueAddress } from './curl.ts'
import { columnOf, paretoFront } from './dominance.ts'
import type { FigureName } from './figures.ts'
import type { Runner } from './race.ts'
import { preferences, verdictOf, type Preference, type TuneVerdict } from './verdict.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'

export type TuneDocument = {
  readonly scenario: string
  readonly description: string | null
  readonly assumptions: readonly string[]
  readonly axes: readonly {
    readonly name: string
    readonly title: string
    readonly unit: string
    readonly values: readonly string[]
  }[]
  /** The number of seeds of the settings that were not dropped. */
  readonly seeds: number
  /** False if all seeds give the same figures: then the result says nothing about other days. */
  readonly isDrawn: boolean
  readonly preference: { readonly name: Preference; readonly means: string }
  readonly settings: readonly SettingResult[]
  readonly verdict: VerdictResult
}

export type SettingResult = {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly set: Assignments
  readonly isToday: boolean
  readonly seeds: number
  /** After how many seeds it was dropped, and the setting that beat it. */
  readonly dropped: { readonly afterSeeds: number; readonly by: string } | null
  /** True if it is on the Pareto front of CI minutes, p95 time in queue and healthy evictions. */
  readonly isOnFront: boolean
  /** Means with 95 % confidence intervals, where there are enough seeds for one. */
  readonly figures: Readonly<Record<FigureName, Interval | null>>
  /** The differences from the current setting on the same seeds. */
  readonly againstToday: Readonly<Record<FigureName, Interval | null>>
}

type VerdictResult = {
  readonly kind: TuneVerdict['kind']
  /** The recommended setting: the winner, the smallest change in a tie, or the current setting. */
  readonly choice: string
  /** The setting with the lowest mean score. */
  readonly best: string
  /** The settings that do not differ significantly from the best. */
  readonly undecided: readonly { readonly name: string; readonly behindPercent: Interval }[]
  /** Settings that are not recommended, because main is broken for longer than today. */
  readonly unsafe: readonly string[]
  /** The command that sets the choice; null if there is nothing to set. */
  readonly curl: string | null
}

export type Tuned = {
  readonly scenario: Scenario
  readonly axes: readonly TuneAxis[]
  readonly runners: readonly Runner[]
  readonly preference: Preference
  readonly address: QueueAddress
}

/** Returns the result document of a finished race. */
export function documentOf({ scenario, axes, runners, preference, address }: Tuned): TuneDocument {
  const remaining = runners.filter(({ dropped }) => !dropped)
  const today = remaining.find(({ candidate }) => candidate.isToday)
  const front = paretoFront(remaining)
  return {
    scenario: scenario.name,
    description: scenario.description ?? null,
    assumptions: assumptionsOf(scenario),
    axes: axes.map(({ name, title, unit, values }) => ({
      name,
      title,
      unit,
      values: values.map(({ label }) => label),
    })),
    seeds: remaining[0]?.runs.length ?? 0,
    isDrawn: remaining.some(({ runs }) => new Set(runs.map((run) => JSON.stringify(run))).size > 1),
    preference: { name: preference, means: preferences[preference] },
    settings: runners.map((runner) => resultOf(runner, today, front.includes(runner))),
    verdict: verdictResult(verdictOf(remaining, preference), address),
  }
}

function resultOf(runner: Runner, today: Runner | undefined, isOnFront: boolean): SettingResult {
  const { candidate, runs, dropped } = runner
  return {
    name: candidate.name,
    labels: candidate.labels,
    set: candidate.assignments,
    isToday: candidate.isToday,
    seeds: runs.length,
    dropped: dropped && { afterSeeds: dropped.after, by: dropped.by.name },
    isOnFront,
    figures: byName((name) => {
      const values = columnOf(runner, name).filter((value) => value !== null)
      return values.length === 0 ? null : intervalOf(values)
    }),
    againstToday: byName((name) =>
      today ? differenceOf(columnOf(runner, name), columnOf(today, name)) : null,
    ),
  }
}

function verdictResult(verdict: TuneVerdict, address: QueueAddress): VerdictResult {
  const { kind, choice, best, rivals, unsafe } = verdict
  return {
    kind,
    choice: choice.candidate.name,
    best: best.candidate.name,
    undecided: rivals.map(({ runner, behindPercent }) => ({
      name: runner.candidate.name,
      behindPercent,
    })),
    unsafe: unsafe.map(({ candidate }) => candidate.name),
    curl: kind === 'keep' ? null : curlLine(choice.candidate.assignments, address),
  }
}

function byName<Value>(make: (name: FigureName) => Value): Record<FigureName, Value> {
  return {
    p95: make('p95'),
    p50: make('p50'),
    ciMinutes: make('ciMinutes'),
    runs: make('runs'),
    evicted: make('evicted'),
    unproven: make('unproven'),
    broken: make('broken'),
  }
}
