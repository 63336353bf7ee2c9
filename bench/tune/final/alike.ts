/** Settings that act alike: with every seed they give the very same figures. */

import type { Trial } from '../search/run-settings.ts'

/**
 * Returns for each setting that acts like another one the one that stands for both: today's, else
 * the choice, else the one with the fewest changes. These themselves are left out.
 */
export function alikeOf(trials: readonly Trial[], choice: Trial): Map<Trial, Trial> {
  const rankOf = (trial: Trial): number =>
    trial.candidate.isToday ? -1 : trial === choice ? 0 : changesIn(trial)
  const first = new Map<string, Trial>()
  const found = new Map<Trial, Trial>()
  for (const trial of trials.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    if (trial.isTooSlow || trial.runs.length === 0) continue
    const key = JSON.stringify(trial.runs)
    const other = first.get(key)
    if (other) found.set(trial, other)
    else first.set(key, trial)
  }
  return found
}

function changesIn({ candidate }: Trial): number {
  return Object.keys(candidate.assignments).length
}
