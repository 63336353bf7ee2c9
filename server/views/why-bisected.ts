import type { BisectionView } from '../../engine/index.ts'

/** Why a member of a bisection is in it, before a run of its own has failed. Rules: E-306, E-307. */
export function whyBisected(bisection: Pick<BisectionView, 'open' | 'others'> | undefined): string {
  const { open = [], others } = bisection ?? {}
  if (others === 0) return 'Its tests failed, and the branch has gone on since; they run again.'
  return others === undefined
    ? `Its batch failed; the bisection looks for the culprit among ${open.length}.`
    : `Its batch failed; each of its ${others + 1} members is tested by itself.`
}
