/** A whole tune run: the search, the final on other seeds, stretches, and how far the advice holds. */

import { judgedTogether } from '../statistics/effects.ts'
import { type TuneAxis, combinations, laddersOf, otherLadders } from './axes.ts'
import { type Candidate, isAllowed, otherCandidates, ownCandidates } from './candidates.ts'
import { preferencesOf } from './figures.ts'
import { type Decided, Final, type Judged, type TuneRequest } from './final.ts'
import { type QuarantineAdvice, quarantineAdvice } from './quarantine.ts'
import { type SettingRunner, type Trial, hasFineSteps } from './runner.ts'
import { type Search, type Space, bestFirst, firstSearchSeed, searched } from './search.ts'
import { type Sensitivity, sensitivityOf } from './sensitivity.ts'
import { type StretchResult, type UnseenResult, inStretches, onUnseen } from './stretches.ts'
import { breaksMain, effectsOf, scorePairs } from './verdict.ts'

export type Tuned = Decided &
  Sensitivity & {
    readonly search: Search
    readonly combinations: number
    /** How the advised setting, or the best, does in the stretches of a history; else empty. */
    readonly stretches: readonly StretchResult[]
    /** The advice on what was kept apart, against today's setting there; null if it was not tried. */
    readonly unseen: UnseenResult | null
    /** Null without flaky tests, and for another product's queue. */
    readonly quarantine: QuarantineAdvice | null
  }

export async function tuned(request: TuneRequest, runner: SettingRunner): Promise<Tuned> {
  const { scenario, seeds, budget, preference } = request
  const space = spaceOf(request)
  const search = await searched(runner, {
    budget,
    space,
    hasFinal: true,
    isAllowed: (candidate) => isAllowed(candidate, request.allowed),
    firstSeed: firstSearchSeed(seeds),
    preferences: preferencesOf(preference, scenario.prices !== undefined),
  })
  const { finalists } = search
  const axes = laddersFound(space.steps, request, finalists)
  const ground = { made: space.made, axes, finalists }
  const first = await new Final(request, runner, ground).decide()
  const { verdict, stretches } = await inStretches(first)
  const decided = { ...first, verdict }
  return {
    ...decided,
    search,
    stretches,
    combinations: combinations(space.grid).length,
    unseen: await onUnseen(decided),
    ...(await sensitivityOf(decided)),
    quarantine: await quarantineAdvice(decided),
  }
}

/** Returns what the command asks to search; with finer steps if the budget allows them. */
function spaceOf({ scenario, other, axes: named, fixed, budget }: TuneRequest): Space {
  const free = (axes: readonly TuneAxis[]): TuneAxis[] =>
    axes.filter(({ values }) =>
      values.every(({ assignments }) => Object.keys(assignments).every((path) => !(path in fixed))),
    )
  if (other) {
    const axes = free(named ?? otherLadders(other, scenario))
    return { grid: axes, steps: axes, made: otherCandidates(other, scenario, axes) }
  }
  const ladders = named ? { grid: named, steps: named } : laddersOf(scenario, hasFineSteps(budget))
  const steps = free(ladders.steps)
  return { grid: free(ladders.grid), steps, made: ownCandidates(scenario, steps) }
}

/** Returns the axes of the final: of finer values only those that finalists have. */
function laddersFound(
  steps: readonly TuneAxis[],
  { scenario, other, axes: named }: TuneRequest,
  finalists: readonly Candidate[],
): TuneAxis[] {
  const coarse = other || named ? steps : laddersOf(scenario, false).steps
  return steps.map((axis) => {
    const usual = coarse.find(({ name }) => name === axis.name)?.values ?? []
    const known = new Set(usual.map(({ label }) => label))
    for (const { labels } of finalists) known.add(labels[axis.name] ?? '')
    return { ...axis, values: axis.values.filter(({ label }) => known.has(label)) }
  })
}

// The best fixed setting of a final against the adaptive policy at its best, on the same seeds.

/** Only those that may be advised: today's setting, unless it is forbidden, and its rivals. */
export function policiesIn(decided: Decided) {
  const { today, rivals, request, verdict, least } = decided
  if (verdict.kind === 'empty' || verdict.kind === 'always') return null
  const fine = isAllowed(today.candidate, request.allowed) ? [today, ...rivals] : rivals
  return policiesOf(
    fine.filter((trial) => !breaksMain(trial, today)),
    { preference: request.preference, least },
  )
}

/** Returns null if settings of only one policy may be advised. */
export function policiesOf(trials: readonly Trial[], { preference, least }: Judged) {
  const ranked = bestFirst(trials, preference)
  const adaptive = ranked.find(({ candidate }) => candidate.labels['policy'] === 'adaptive')
  const fixed = ranked.find(({ candidate }) => candidate.labels['policy'] === 'documented')
  if (!adaptive || !fixed) return null
  const [fixedAgainstAdaptive = {}] = effectsOf([fixed], adaptive, least)
  const [judged] = judgedTogether([scorePairs(preference, fixed.runs, adaptive.runs)], least)
  const kind = judged?.verdict.kind
  return {
    /** The names of the two settings. */
    adaptive: adaptive.candidate.name,
    fixed: fixed.candidate.name,
    fixedAgainstAdaptive,
    /** Which of the two has the surely better score; null if none, or if they cannot be told apart. */
    better: kind === 'do' ? ('fixed' as const) : kind === 'do not' ? ('adaptive' as const) : null,
  }
}
