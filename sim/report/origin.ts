/** Where a run comes from: drawn from a scenario, or recorded by a server. */

import type { Millis } from '../../engine/index.ts'
import { duration, several } from '../command-line/text.ts'
import type { Figures } from '../result/result-document.ts'

export type Origin =
  | {
      readonly kind: 'drawn'
      /** Whether it was run a second time, to compare. */
      readonly isCompared: boolean
    }
  | { readonly kind: 'recorded'; readonly from: Millis; readonly to: Millis }

/** How many pull requests there were, in which time. */
export function extentOf(origin: Origin, figures: Figures, pullRequests: number): string {
  const all = `${several(pullRequests, 'pull request')} in ${duration(figures.endedAtMinutes)}`
  if (origin.kind === 'drawn') return `${all}, seed ${figures.seed}`
  const [from, to] = [origin.from, origin.to].map((instant) => new Date(instant).toISOString())
  return `${all}, recorded from ${from} to ${to}`
}

/** What is known of how well it can be had again. */
export function againOf(origin: Origin): string {
  if (origin.kind === 'recorded') return '; replayed as it was recorded'
  return origin.isCompared ? '; run twice, the same to the byte' : ''
}

/** Why it comes out the same again. */
export function sameAgain({ kind }: Origin): string {
  return kind === 'drawn'
    ? 'The same scenario and seed give the same run on any machine'
    : 'The same recording gives the same run on any machine'
}
