/** The best fixed setting of a final against the adaptive policy at its best, on the same seeds. */

import { judgedTogether } from '../statistics/least-effect.ts'
import { isAllowed } from './candidates.ts'
import type { Preference } from './figures.ts'
import type { Trial } from './runner.ts'
import { bestFirst } from './search.ts'
import type { Tuned } from './tune.ts'
import { type Effects, breaksMain, effectsOf, scorePairs } from './verdict.ts'

export type PoliciesResult = {
  /** The names of the two settings. */
  readonly adaptive: string
  readonly fixed: string
  /** The fixed setting compared with the adaptive one. */
  readonly fixedAgainstAdaptive: Effects
  /** Which of the two has the surely better score; null if none, or if they cannot be told apart. */
  readonly better: 'fixed' | 'adaptive' | null
}

/** Only those that may be advised: today's setting, unless it is forbidden, and its rivals. */
export function policiesIn({ final, rivals, request, verdict }: Tuned): PoliciesResult | null {
  const [today] = final
  if (!today || verdict.kind === 'empty' || verdict.kind === 'always') return null
  const fine = isAllowed(today.candidate, request.allowed) ? [today, ...rivals] : rivals
  const { preference, leastPercent } = request
  return policiesOf(
    fine.filter((trial) => !breaksMain(trial, today)),
    { preference, least: leastPercent / 100 },
  )
}

type Contest = { readonly preference: Preference; readonly least: number }

/** Returns null if settings of only one policy may be advised. */
export function policiesOf(
  trials: readonly Trial[],
  { preference, least }: Contest,
): PoliciesResult | null {
  const ranked = bestFirst(trials, preference)
  const adaptive = ranked.find(({ candidate }) => candidate.labels['policy'] === 'adaptive')
  const fixed = ranked.find(({ candidate }) => candidate.labels['policy'] === 'documented')
  if (!adaptive || !fixed) return null
  const [fixedAgainstAdaptive = {}] = effectsOf([fixed], adaptive, least)
  const [judged] = judgedTogether([scorePairs(preference, fixed.runs, adaptive.runs)], least)
  const kind = judged?.verdict.kind
  return {
    adaptive: adaptive.candidate.name,
    fixed: fixed.candidate.name,
    fixedAgainstAdaptive,
    better: kind === 'do' ? 'fixed' : kind === 'do not' ? 'adaptive' : null,
  }
}
