import type { QueueView } from './state.ts'

/** A queue without a verdict counts as one in which one run in this number is a flake. */
const runsPerFlake = 10

/**
 * The estimated share of flakes among the runs that should pass, from the last verdicts of the queue;
 * 0.1 before any. A failure that nothing has contradicted is not counted at all, because it may be the
 * fault of a pull request. Rule: E-204.
 */
export function flakeRate({ verdicts }: QueueView): number {
  let flakes = 0
  let passes = 0
  for (const { outcome, contradicted } of verdicts) {
    if (outcome === 'passed') passes++
    else if (contradicted) flakes++
  }
  return (1 + flakes) / (runsPerFlake + flakes + passes)
}
