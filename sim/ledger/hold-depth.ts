/** How many verdicts on top of it a failure waits for. Rules: E-56, E-226. */

import type { Projections } from './ledger.ts'

export function holdDepth({ settings, verdicts }: Projections): number {
  const { pendingFailureDepth, holdOnlyWhileFlaky } = settings.configuration
  return holdOnlyWhileFlaky && verdicts.flakeRate <= 0.1 ? 0 : pendingFailureDepth
}
