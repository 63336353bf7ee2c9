/** The kinds of merges without a run of exactly that tree, and which settings can make them. */

import { targetBatchSize, type Configuration } from '../../../engine/index.ts'

export const unprovenKindNames = [
  'mid-batch',
  'cleared-by-successor',
  'disjoint-targets',
  'direct',
] as const

/** `cleared-by-successor` needs optimistic merging, `disjoint-targets` the parallel mode. */
export type UnprovenKind = (typeof unprovenKindNames)[number]

/**
 * Returns the kinds that a queue with this configuration can make by itself. Merges by hand are
 * never its own.
 */
export function kindsOf(queue: Readonly<Configuration>): UnprovenKind[] {
  return [
    ...(targetBatchSize(queue) > 1 ? (['mid-batch'] as const) : []),
    ...(queue.canOptimisticallyMerge ? (['cleared-by-successor'] as const) : []),
    ...(queue.mode === 'parallel' ? (['disjoint-targets'] as const) : []),
    ...(queue.directMergeMode === 'off' ? [] : (['direct'] as const)),
  ]
}

/** True if a setting makes no kind that is not allowed. */
export function isAllowed(
  { kinds }: { readonly kinds: readonly UnprovenKind[] },
  allowed: readonly UnprovenKind[],
): boolean {
  return kinds.every((kind) => allowed.includes(kind))
}
