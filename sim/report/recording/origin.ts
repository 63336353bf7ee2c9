/** The origin of a run: simulated from a scenario, or recorded by a server. */

import type { Millis } from '../../../engine/index.ts'
import { duration, several } from '../../../server/terminal/text.ts'
import type { Figures } from '../../result/result-document.ts'

export type Origin =
  | {
      readonly kind: 'drawn'
      /** True if the scenario ran a second time and both runs were compared. */
      readonly isCompared: boolean
    }
  | { readonly kind: 'recorded'; readonly from: Millis; readonly to: Millis }

/** Returns the number of pull requests and the duration, in words. */
export function extentOf(origin: Origin, figures: Figures, pullRequests: number): string {
  const all = `${several(pullRequests, 'pull request')} in ${duration(figures.endedAtMinutes)}`
  if (origin.kind === 'drawn') return `${all}, seed ${figures.seed}`
  const [from, to] = [origin.from, origin.to].map((instant) => new Date(instant).toISOString())
  return `${all}, recorded from ${from} to ${to}`
}

/** Returns how the run was verified to be reproducible, in words; empty if it was not. */
export function verificationOf(origin: Origin): string {
  if (origin.kind === 'recorded') return '; the replay matched the recording'
  return origin.isCompared ? '; run twice with identical output' : ''
}

/** Returns why the run is reproducible, in words. */
export function reproducibilityOf({ kind }: Origin): string {
  return kind === 'drawn'
    ? 'The same scenario and seed give the same run on any machine'
    : 'The same recording gives the same run on any machine'
}
