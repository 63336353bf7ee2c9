/** The kinds of merges without a run of exactly that tree, and which settings can make them. */

import { targetBatchSize, type Configuration } from '../../../engine/index.ts'

/** `words` completes "60 were ...". */
export const unprovenKinds = {
  'mid-batch': { words: 'merged in the middle of a batch' },
  'cleared-by-successor': { words: 'cleared by the run of a successor' },
  'disjoint-targets': { words: 'merged beside others without a common target' },
  direct: { words: 'merged without a run' },
} as const satisfies Record<string, { readonly words: string }>

export type UnprovenKind = keyof typeof unprovenKinds

export const unprovenKindNames: readonly UnprovenKind[] = [
  'mid-batch',
  'cleared-by-successor',
  'disjoint-targets',
  'direct',
]

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

/** True if the queue makes no kind that is not allowed. */
export function isAllowed(
  queue: Readonly<Configuration>,
  allowed: readonly UnprovenKind[],
): boolean {
  return kindsOf(queue).every((kind) => allowed.includes(kind))
}
