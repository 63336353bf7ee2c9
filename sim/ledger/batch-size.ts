/** The size at which a batch that starts now is full. Rules: E-29, E-30, E-225. */

import type { Projections } from './ledger.ts'

export function batchSize({ settings, waiting, judged }: Projections): number {
  const { batch, batchingMinSize, policy, concurrency } = settings.configuration
  const most = batch ? batchingMinSize : 1
  if (policy === 'documented' || most < 2) return most
  const share = Math.floor((waiting.pending - waiting.pendingAlone) / concurrency)
  const halfAFailure = Math.floor(1 / (2 * judged.failureRate))
  return Math.max(2, Math.min(most, share, halfAFailure))
}
