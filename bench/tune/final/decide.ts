/** Decides what to advise, and which values of each axis make no difference. */

import { fewestForInterval } from '../../../sim/statistics/interval.ts'
import type { TuneAxis } from '../settings/axes.ts'
import { distinct, type Candidate, type CandidateSource } from '../settings/candidates.ts'
import { isNoDifference, surelyBetter } from './around.ts'
import type { FinalRuns } from './final-runs.ts'
import type { Verdict } from './verdict.ts'

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
