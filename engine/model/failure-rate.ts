import type { QueueView } from './state.ts'

/**
 * The estimated share of pull requests that break the tests, from those that the tests of this queue
 * have judged; 0.1 before any was. Rules: E-75, E-159.
 */
export function failureRate({ judged }: QueueView): number {
  return (1 + judged.failed) / (10 + judged.count)
}
