/** Decides what to advise, and which values of each axis make no difference. */

import { fewestForInterval } from '../../../sim/statistics/interval.ts'
import { judgedTogether } from '../../statistics/least-effect.ts'
import type { Preference } from '../figures/wishes.ts'
import type { Trial } from '../search/run-settings.ts'
import type { TuneAxis } from '../settings/axes.ts'
import { type Candidate, type CandidateSource, distinct } from '../settings/candidates.ts'
import { pairsOf, scorePairs } from './effects.ts'
import type { FinalRuns } from './final-runs.ts'
import { type Verdict, meanCount } from './verdict.ts'

export type AroundAxis = {
  readonly axis: TuneAxis
  /** The labels of the values that make no difference from the choice's, itself included. */
  readonly same: readonly string[]
}

/** The verdict, and what each axis does to the choice. */
export type Decided = { readonly verdict: Verdict; readonly axes: readonly AroundAxis[] }

export type Ground = { readonly made: CandidateSource; readonly axes: readonly TuneAxis[] }

/** The choice moves at most so often to a setting beside it. */
const mostMoves = 3

/**
 * Runs the final and looks around the choice. The simplest setting of several that are about as good
 * is advised, so each change of the choice and of the best is tried alone. Then the neighbours of
 * the choice compete with it.
 */
export async function decided(final: FinalRuns, ground: Ground): Promise<Decided> {
  let verdict = await final.judge()
  if (verdict.kind === 'change') {
    const { choice, best } = verdict
    const alone = [choice, best].flatMap((trial) => loneChanges(trial.candidate, ground))
    verdict = await final.judge(distinct(alone))
  }
  for (let move = 0; move < mostMoves; move++) {
    const axes = await lookedAround(verdict, final, ground)
    const joining = moveFrom(verdict, axes, { final, ground })
    if (joining.length === 0) return { verdict, axes }
    const { choice } = verdict
    verdict = await final.judge(joining)
    if (verdict.choice === choice) return { verdict, axes }
  }
  return { verdict, axes: await lookedAround(verdict, final, ground) }
}

type Surroundings = { readonly final: FinalRuns; readonly ground: Ground }

/**
 * Returns the settings that the choice must also stand against: its neighbours that are surely
 * better than it, else the setting in which a value that makes no difference goes back to today's.
 */
function moveFrom(
  { kind, choice }: Verdict,
  axes: readonly AroundAxis[],
  { final, ground }: Surroundings,
): Candidate[] {
  if (isSettled(kind)) return []
  const neighbours = final
    .trialsOf(neighboursOf(choice.candidate, ground))
    .filter(final.mayBeAdvised)
  const better = surelyBetter(neighbours, choice, final)
  if (better.length > 0) return better.map(({ candidate }) => candidate)
  const simpler = kind === 'change' ? withoutNeedless(choice.candidate, axes, ground) : null
  return simpler ? [simpler] : []
}

/** No neighbour changes these verdicts. */
function isSettled(kind: Verdict['kind']): boolean {
  return kind === 'empty' || kind === 'always' || kind === 'idle'
}

function neighboursOf(candidate: Candidate, { made, axes }: Ground): Candidate[] {
  return distinct(axes.flatMap((axis) => made.around(candidate, axis)))
}

/** Returns today's setting with each change of the setting alone. */
function loneChanges({ labels }: Candidate, { made, axes }: Ground): Candidate[] {
  return axes.flatMap(({ name, values }) =>
    labels[name] === made.today.labels[name]
      ? []
      : values
          .filter(({ label }) => label === labels[name])
          .map(({ assignments }) => made.with(assignments)),
  )
}

/** Returns the setting with today's values where they make no difference; null if none do. */
function withoutNeedless(
  candidate: Candidate,
  around: readonly AroundAxis[],
  { made }: Ground,
): Candidate | null {
  const { today } = made
  const needless = around.flatMap(({ axis: { name, values }, same }) => {
    const label = today.labels[name] ?? ''
    const isNeedless = candidate.labels[name] !== label && same.includes(label)
    return isNeedless ? values.filter((each) => each.label === label) : []
  })
  const assignments = new Map(Object.entries(candidate.assignments))
  for (const value of needless) {
    for (const [path, own] of Object.entries(value.assignments)) assignments.set(path, own)
  }
  const simpler = made.with(Object.fromEntries(assignments))
  return simpler.isToday || simpler.key === candidate.key ? null : simpler
}

async function lookedAround(
  verdict: Verdict,
  final: FinalRuns,
  { made, axes }: Ground,
): Promise<AroundAxis[]> {
  const { choice } = verdict
  if (isSettled(verdict.kind) || choice.runs.length < fewestForInterval) {
    return axes.map((axis) => ({ axis, same: [choice.candidate.labels[axis.name] ?? ''] }))
  }
  const neighbours = axes.map((axis) => made.around(choice.candidate, axis))
  const title = 'one step around the choice'
  await final.add(distinct(neighbours.flat()), title)
  return axes.map((axis, index) => {
    const own = choice.candidate.labels[axis.name] ?? ''
    const others = (neighbours[index] ?? []).filter((candidate) => {
      const trial = final.trialOf(candidate)
      return trial !== null && isNoDifference(trial, choice, final.least)
    })
    const same = new Set([own, ...others.map(({ labels }) => labels[axis.name] ?? '')])
    const known = axis.values.map(({ label }) => label).filter((label) => same.has(label))
    return { axis, same: known.length === 0 ? [own] : known }
  })
}

// How the choice compares with its neighbours, which differ from it on one axis.

/** True if two settings surely differ by less than the least effect, and are as safe. */
export function isNoDifference(trial: Trial, other: Trial, least: number): boolean {
  if (trial.isTooSlow || other.isTooSlow) return false
  const isSame = (['p95', 'ciMinutes'] as const).every((name) => {
    const [judged] = judgedTogether([pairsOf(name, trial.runs, other.runs)], least)
    return judged?.verdict.kind === 'no difference'
  })
  return (
    isSame &&
    (['unproven', 'evicted'] as const).every((name) => {
      const [a, b] = [meanCount(trial.runs, name), meanCount(other.runs, name)]
      return Math.abs(a - b) <= Math.max(1, b * least)
    })
  )
}

type Judged = { readonly preference: Preference; readonly least: number }

/**
 * Returns the neighbours that are surely better than the choice by the least effect: the same rule
 * by which the choice stands against today's. It is corrected for the number of neighbours.
 */
export function surelyBetter(
  neighbours: readonly Trial[],
  choice: Trial,
  { preference, least }: Judged,
): Trial[] {
  const pairs = neighbours.map(({ runs }) => scorePairs(preference, runs, choice.runs))
  const judged = judgedTogether(pairs, least)
  return neighbours.filter((_, index) => judged[index]?.verdict.kind === 'do')
}
