import { flakeRate } from './flake-rate.ts'
import type { QueueView } from './state.ts'

/** While at most this share of runs flakes, a failure is not held. */
const fewFlakes = 0.1

/**
 * The pending failure depth in force: the verdicts on top of it that a failure waits for. With
 * `holdOnlyWhileFlaky` it waits for none while few runs flake. Rules: E-56, E-226.
 */
export function holdDepth(queue: QueueView): number {
  const { pendingFailureDepth, holdOnlyWhileFlaky } = queue.configuration
  if (!holdOnlyWhileFlaky || pendingFailureDepth === 0) return pendingFailureDepth
  return flakeRate(queue) > fewFlakes ? pendingFailureDepth : 0
}
