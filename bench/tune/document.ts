/** What a tuning found, as a document: no wall-clock time, no path; fixed seeds, the same bytes. */

import { differenceOf, intervalOf, type Difference, type Interval } from '../statistics/interval.ts'
import { assumptionsOf } from './assumptions.ts'
import type { Assignments, Axis } from './axes.ts'
import { curlLine, type QueueAddress } from './curl.ts'
import { columnOf, paretoFront } from './dominance.ts'
import type { FigureName } from './figures.ts'
import type { Runner } from './race.ts'
import { preferences, verdictOf, type Preference, type Verdict } from './verdict.ts'
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
  /** Of those that were not dropped. */
  readonly seeds: number
  /** False where every seed goes the same way: then nothing says how other days would go. */
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
  /** Dropped after so many seeds, because that setting was clearly better. */
  readonly dropped: { readonly afterSeeds: number; readonly by: string } | null
  /** No other one left is as good in CI minutes, p95 time in queue and healthy evicted. */
  readonly isOnFront: boolean
  /** With 95 % intervals. */
  readonly figures: Readonly<Record<FigureName, Interval | null>>
  /** What it has more than today's, on the same seeds. */
  readonly againstToday: Readonly<Record<FigureName, Difference | null>>
}

type VerdictResult = {
  readonly kind: Verdict['kind']
  /** What to set: the winner, of a tie the one that changes least, or today's. */
  readonly choice: string
  readonly best: string
  readonly cannotBeTold: readonly { readonly name: string; readonly behindPercent: Difference }[]
  /** Left out: they leave main broken for longer than today's. */
  readonly unsafe: readonly string[]
  /** Sets the choice; null where there is nothing to set. */
  readonly curl: string | null
}

export type Tuned = {
  readonly scenario: Scenario
  readonly axes: readonly Axis[]
  readonly runners: readonly Runner[]
  readonly preference: Preference
  readonly address: QueueAddress
}

export function documentOf({ scenario, axes, runners, preference, address }: Tuned): TuneDocument {
  const alive = runners.filter(({ dropped }) => !dropped)
  const today = alive.find(({ candidate }) => candidate.isToday)
  const front = paretoFront(alive)
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
    seeds: alive[0]?.runs.length ?? 0,
    isDrawn: alive.some(({ runs }) => new Set(runs.map((run) => JSON.stringify(run))).size > 1),
    preference: { name: preference, means: preferences[preference] },
    settings: runners.map((runner) => resultOf(runner, today, front.includes(runner))),
    verdict: verdictResult(verdictOf(alive, preference), address),
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

function verdictResult(verdict: Verdict, address: QueueAddress): VerdictResult {
  const { kind, choice, best, rivals, unsafe } = verdict
  return {
    kind,
    choice: choice.candidate.name,
    best: best.candidate.name,
    cannotBeTold: rivals.map(({ runner, behindPercent }) => ({
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
