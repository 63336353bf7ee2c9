/**
 * Decides which setting to advise. A setting is advised if its score is surely better than today's,
 * by at least the least effect.
 */

import type { TuneFigures } from '../figures.ts'
import { scoreOf, meanScore, type Preference } from '../search/wishes.ts'
import type { Trial } from '../search/run-settings.ts'
import { configurationOf } from '../settings/ladders.ts'
import {
  effectOf,
  fewestSeeds,
  logRatios,
  moreSeedsFor,
  pairsOf,
  type Pairs,
} from './effects.ts'
import { holmConfidences } from './holm.ts'
import { idleOf, isAlways, isEmpty, type Idle } from './quiet.ts'

export type Chosen = {
  readonly choice: Trial
  /** The setting with the best score. */
  readonly best: Trial
  /** The settings that are less than the least effect behind the best, without the choice. */
  readonly tied: readonly Trial[]
}

export type Verdict =
  | (Chosen & { readonly kind: 'change'; readonly because: 'better' | 'today is not allowed' })
  | (Chosen & { readonly kind: 'keep' | 'empty' | 'always' })
  | (Chosen & { readonly kind: 'unsure'; readonly moreSeeds: number | null })
  | (Chosen & { readonly kind: 'idle'; readonly idle: Idle })

export type Final = {
  readonly today: Trial
  /** Without today's, and without those that are not allowed. */
  readonly rivals: readonly Trial[]
  readonly preference: Preference
  readonly leastPercent: number
  readonly isTodayAllowed: boolean
}

/** Returns the verdict over settings that ran on the same seeds. */
export function verdictOf(final: Final): Verdict {
  const { today, preference, isTodayAllowed } = final
  const safe = final.rivals.filter((trial) => !trial.isTooSlow && !breaksMain(trial, today))
  const best = bestOf(isTodayAllowed || safe.length === 0 ? [today, ...safe] : safe, preference)
  const kept = { choice: today, best, tied: [] }
  if (isEmpty(today.runs)) return { kind: 'empty', ...kept }
  if (isAlways([today, ...safe].map(({ runs }) => runs))) return { kind: 'always', ...kept }
  if (!isTodayAllowed && safe.length > 0) {
    return { kind: 'change', because: 'today is not allowed', ...simplest(safe, best, final) }
  }
  const idle = idleOf(today.runs, configurationOf(today.candidate.scenario).concurrency)
  if (idle) return { kind: 'idle', idle, ...kept }
  return judged(safe, best, final)
}

/** Decides by the effects on the score, corrected together with those on time and cost. */
function judged(safe: readonly Trial[], best: Trial, final: Final): Verdict {
  const { today } = final
  const kept = { choice: today, best, tied: [] }
  const missing = fewestSeeds - today.runs.length
  if (missing > 0) return { kind: 'unsure', moreSeeds: missing, ...kept }
  const levels = levelsOf(safe, final)
  const judgedOnes = safe.flatMap((trial, index) => {
    const pairs = scorePairs(trial, today, final)
    const confidence = levels[index] ?? 1
    const { reading } = pairs ? effectOf(pairs, confidence) : { reading: null }
    return pairs ? [{ trial, pairs, confidence, reading }] : []
  })
  const better = judgedOnes.filter(({ reading }) => reading === 'less').map(({ trial }) => trial)
  if (better.length > 0) {
    const winner = bestOf(better, final.preference)
    return { kind: 'change', because: 'better', ...simplest(better, winner, final) }
  }
  const open = judgedOnes.filter(({ reading }) => reading === 'cannot tell')
  const promising = open.find(({ trial }) => trial === best) ?? null
  const isOpen = promising !== null && isBeyond(promising.pairs, promising.confidence)
  if (!isOpen) return { kind: 'keep', ...kept }
  return { kind: 'unsure', moreSeeds: moreSeedsFor(promising.pairs, promising.confidence), ...kept }
}

/** True if the effect may be better than the least effect. */
function isBeyond(pairs: Pairs, confidence: number): boolean {
  const { low } = effectOf(pairs, confidence)
  return low < (pairs.kind === 'ratio' ? Math.exp(pairs.least.low) : pairs.least.low)
}

/** The goals whose effects are told besides that on the score. */
const goals = ['p95', 'ciMinutes'] as const

/** Returns the confidence of the effect on the score of each setting, by the method of Holm. */
function levelsOf(safe: readonly Trial[], final: Final): number[] {
  const scores = safe.map((trial) => scorePairs(trial, final.today, final)?.values ?? [0])
  const others = goals.flatMap((goal) =>
    safe.map(({ runs }) => pairsOf(goal, [runs, final.today.runs], final.leastPercent)?.values ?? [0]),
  )
  return holmConfidences([...scores, ...others]).slice(0, safe.length)
}

/** Pairs the scores of two settings; null if nothing landed with a seed. */
export function scorePairs(
  trial: Trial,
  other: Trial,
  { preference, leastPercent }: Pick<Final, 'preference' | 'leastPercent'>,
): Pairs | null {
  if (preference === 'safety') return pairsOf('unproven', [trial.runs, other.runs], leastPercent)
  const differences = trial.runs.flatMap((run, index) => {
    const before = other.runs[index]
    const [a, b] = [scoreOf(run, preference), before ? scoreOf(before, preference) : null]
    return a === null || b === null ? [] : [a - b]
  })
  return differences.length === 0 || differences.length < trial.runs.length
    ? null
    : logRatios(differences, leastPercent)
}

/**
 * Of the settings that are less than the least effect behind the best, returns the one that changes
 * the fewest fields, and of several the one with the fewest unproven merges.
 */
function simplest(all: readonly Trial[], best: Trial, final: Final): Chosen {
  const tied = all.filter((trial) => trial === best || isTied(trial, best, final))
  const changes = ({ candidate }: Trial): number => Object.keys(candidate.assignments).length
  const [choice = best] = tied.toSorted(
    (a, b) =>
      changes(a) - changes(b) ||
      meanOf(a.runs, 'unproven') - meanOf(b.runs, 'unproven') ||
      meanScore(a.runs, final.preference) - meanScore(b.runs, final.preference),
  )
  return { choice, best, tied: tied.filter((trial) => trial !== choice) }
}

function isTied(trial: Trial, best: Trial, final: Final): boolean {
  const pairs = scorePairs(trial, best, final)
  if (!pairs) return false
  return pairs.values.reduce((sum, value) => sum + value, 0) / pairs.values.length < pairs.least.high
}

/** True if main is broken for surely longer. Such a setting is not advised. */
export function breaksMain(trial: Trial, today: Trial): boolean {
  const pairs = pairsOf('broken', [trial.runs, today.runs], 0)
  return pairs !== null && effectOf(pairs, 0.95).reading === 'more'
}

function bestOf(trials: readonly [Trial, ...Trial[]] | readonly Trial[], wish: Preference): Trial {
  const [best] = trials.toSorted((a, b) => meanScore(a.runs, wish) - meanScore(b.runs, wish))
  if (!best) throw new Error('no setting to choose from')
  return best
}

export function meanOf(runs: readonly TuneFigures[], name: 'unproven' | 'evicted'): number {
  return runs.reduce((sum, run) => sum + (run[name] ?? 0), 0) / Math.max(1, runs.length)
}
