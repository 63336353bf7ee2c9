/** How far the advised setting leads over others. */

import { endsOf } from '../../../sim/statistics/interval.ts'
import { meanOf } from '../../../sim/statistics/mean.ts'
import { effectOf, type Paired } from '../../statistics/ratio.ts'
import type { Preference } from '../figures/wishes.ts'
import { scorePairs } from '../final/effects.ts'
import { breaksMain, type Verdict } from '../final/verdict.ts'
import type { Trial } from '../search/run-settings.ts'
import { configurationOf } from '../settings/ladders.ts'
import { kindsOf } from '../settings/unproven.ts'
import type { Lead } from './limits.ts'

/** Another setting, and by how much it may be better without being advised instead. */
export type Rival = { readonly trial: Trial; readonly slack: number }

/** The setting whose advice is examined, and those that may take its place. */
export type Contest = { readonly subject: Trial; readonly rivals: readonly Rival[] }

/**
 * Returns who is compared with whom; null where nothing was decided. Advice to change leads over
 * today's setting, and no setting of another kind is better by the least effect. Advice to keep
 * today's holds as long as no other is. Where nobody can
 * tell, any limit would be chance.
 */
export function contestOf(
  verdict: Verdict,
  today: Trial,
  { rivals, least }: { readonly rivals: readonly Trial[]; readonly least: number },
): Contest | null {
  const { choice, best } = verdict
  const fit = rivals.filter((trial) => !trial.isTooSlow && !breaksMain(trial, today))
  const slackOf = (trial: Trial): Rival => ({ trial, slack: least })
  switch (verdict.kind) {
    case 'change': {
      const other = otherKind(verdict, fit)
      const bases = verdict.because === 'better' ? [{ trial: today, slack: 0 }] : []
      return { subject: choice, rivals: [...bases, ...(other ? [slackOf(other)] : [])] }
    }
    case 'keep': {
      const [other] = best === today ? fit : [best]
      return other ? { subject: today, rivals: [slackOf(other)] } : null
    }
    case 'unsure':
    case 'idle':
    case 'empty':
    case 'always':
      return null
  }
}

/** The best of another kind than the advised setting; they are sorted, the best first. */
function otherKind({ choice }: Verdict, fit: readonly Trial[]): Trial | null {
  const others = fit.filter((trial) => trial !== choice)
  return others.find((trial) => kindOf(trial) !== kindOf(choice)) ?? others[0] ?? null
}

/** Settings of one kind make the same kinds of unproven merges. */
function kindOf({ candidate }: Trial): string {
  return kindsOf(configurationOf(candidate.scenario)).join()
}

/** Returns the lead over a rival on the same seeds; null if neither keeps up or lands anything. */
export function leadOver(subject: Trial, { trial, slack }: Rival, wish: Preference): Lead | null {
  const [own, other] = [subject, trial].map(({ runs, isTooSlow }) => (isTooSlow ? [] : runs))
  if (!own || !other || (own.length === 0 && other.length === 0)) return null
  if (own.length === 0) return { mean: -Infinity, surely: -Infinity }
  if (other.length === 0) return { mean: Infinity, surely: Infinity }
  const paired = scorePairs(wish, own, other)
  const behind = effectOf({ ...paired, measure: 'difference' })
  if (!behind) return null
  const limit = slackIn(paired, slack)
  return { mean: limit - meanOf(paired.values), surely: limit - endsOf(behind.size).high }
}

type FirstSeeds = { readonly preference: Preference; readonly count: number }

/**
 * By how much the lead on the first seeds is larger than that on all seeds of the final. At other
 * values the same seeds are as lucky, so that this much is left out: a limit beside today's value would
 * else tell the seeds apart, not the assumption.
 */
export function luckOf(subject: Trial, rival: Rival, { preference, count }: FirstSeeds): number {
  const first = (trial: Trial): Trial => ({ ...trial, runs: trial.runs.slice(0, count) })
  const all = leadOver(subject, rival, preference)
  const some = leadOver(first(subject), { ...rival, trial: first(rival.trial) }, preference)
  const luck = (some?.mean ?? 0) - (all?.mean ?? 0)
  return Number.isFinite(luck) ? luck : 0
}

function slackIn({ measure, of }: Paired, slack: number): number {
  return measure === 'ratio' ? Math.log(1 + slack) : slack * Math.max(1, of ?? 0)
}
