/** How many verdicts on top of it a failure waits for. Rules: E-56, E-226. */

import type { Projections } from './ledger.ts'

export function holdDepth({ settings, verdicts }: Projections): number {
  const { pendingFailureDepth, policy } = settings.configuration
  return policy === 'adaptive' && verdicts.flakeRate <= 0.1 ? 0 : pendingFailureDepth
}
