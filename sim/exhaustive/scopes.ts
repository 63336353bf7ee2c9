/**
 * The scopes of the small cases: how many pull requests, which orders, cancels, kinds and settings.
 * What the adaptive policy decides acts in few situations, so each has a scope of its own.
 */

import { interleavings, resultOrders, type OrderStep } from './orders.ts'

const pullRequestKinds = ['good', 'culprit', 'clashing', 'flaking'] as const
/** `stacked` and `early` depend on the one that is submitted directly before and after them. */
export type PullRequestKind = (typeof pullRequestKinds)[number] | 'pairing' | 'stacked' | 'early'

/** When a pull request is cancelled: just before its first result, or just after. */
export type Cancel = 'never' | 'before' | 'after'

export type Scope = {
  readonly name: string
  readonly count: number
  readonly orders: readonly (readonly OrderStep[])[]
  readonly cancels: readonly Cancel[]
  /** At most so many are cancelled. */
  readonly mostCancels: number
  readonly kinds: readonly PullRequestKind[]
  readonly isAdaptive: boolean
  readonly batchSizes: readonly number[]
  readonly depths: readonly number[]
  /** This many broke before, so that nobody is likely to pass. */
  readonly brokenBefore: number
  /** The third has a long run of its own in the only slot, so the last waits when survivors return. */
  readonly isCrowded: boolean
  readonly hasOneSlot: boolean
}

export const plain = {
  name: 'plain',
  cancels: ['never', 'before', 'after'],
  mostCancels: Infinity,
  kinds: pullRequestKinds,
  isAdaptive: false,
  batchSizes: [1, 2, 3],
  depths: [0, 1, 2],
  brokenBefore: 0,
  isCrowded: false,
  hasOneSlot: false,
} as const

const adaptive = {
  ...plain,
  name: 'adaptive',
  cancels: ['never', 'before'],
  isAdaptive: true,
  // With slots to spare a batch is a pair, whatever its target size.
  batchSizes: [1, 2],
} as const

/** After eight that broke, two predecessors pass with a chance of 0.25 (E-75, E-189). */
const inDoubt = {
  ...adaptive,
  kinds: ['good', 'culprit', 'flaking'],
  depths: [0],
  brokenBefore: 8,
} as const

const crowded = {
  ...adaptive,
  kinds: ['good', 'culprit', 'flaking'],
  batchSizes: [2],
  depths: [0],
  isCrowded: true,
  hasOneSlot: true,
} as const

/** With one slot a batch holds all that wait, so batches of different sizes come about. */
const growing = {
  ...adaptive,
  kinds: ['good', 'culprit', 'flaking'],
  batchSizes: [3, 4],
  depths: [0],
  hasOneSlot: true,
} as const

/** A flake that is found out makes the queue flaky; then the next failure is held. */
const flaky = {
  ...adaptive,
  kinds: ['good', 'culprit', 'flaking'],
  depths: [1],
} as const

/** One breaks together with the one before it, which has or has not merged. */
const pairs = {
  ...plain,
  name: 'pairs',
  kinds: ['good', 'pairing', 'flaking'],
  cancels: ['never', 'before'],
  depths: [0, 1],
} as const

const stacks = {
  ...plain,
  name: 'stacks',
  kinds: ['good', 'culprit', 'stacked', 'early'],
  cancels: ['never', 'before'],
  mostCancels: 1,
  batchSizes: [1, 3],
  depths: [0],
} as const

/** Four pull requests have too many orders, so they are submitted at once, and at most one cancelled. */
export const scopes: readonly Scope[] = [
  { ...plain, count: 1, orders: interleavings(1) },
  { ...plain, count: 2, orders: interleavings(2) },
  { ...plain, count: 3, orders: interleavings(3) },
  { ...plain, count: 4, orders: resultOrders(4), cancels: ['never', 'before'], mostCancels: 1 },
  { ...pairs, count: 3, orders: interleavings(3) },
  { ...pairs, name: 'pairs, adaptive', count: 3, orders: interleavings(3), isAdaptive: true },
  { ...pairs, count: 4, orders: resultOrders(4), mostCancels: 0 },
  { ...stacks, count: 3, orders: interleavings(3) },
  { ...stacks, name: 'stacks, adaptive', count: 3, orders: interleavings(3), isAdaptive: true },
  ...[1, 2, 3].map((count) => ({
    ...adaptive,
    count,
    orders: interleavings(count),
    depths: [0, 1],
  })),
  { ...adaptive, count: 4, orders: resultOrders(4), mostCancels: 0, depths: [0] },
  { ...inDoubt, name: 'in doubt', count: 3, orders: resultOrders(3) },
  { ...inDoubt, name: 'in doubt', count: 4, orders: resultOrders(4), mostCancels: 0 },
  { ...crowded, name: 'crowded', count: 4, orders: resultOrders(4), mostCancels: 1 },
  ...[3, 4].map((count) => ({
    ...growing,
    name: 'growing',
    count,
    orders: resultOrders(count),
    mostCancels: 1,
  })),
  { ...flaky, name: 'held while flaky', count: 3, orders: interleavings(3), mostCancels: 1 },
  { ...flaky, name: 'held while flaky', count: 4, orders: resultOrders(4), mostCancels: 0 },
]

/** The first pull request has no predecessor to conflict or break with, so it equals the good one. */
export function kindsOf(
  index: number,
  kinds: readonly PullRequestKind[] = pullRequestKinds,
): readonly PullRequestKind[] {
  return index === 0 ? kinds.filter((kind) => !withOneBefore.has(kind)) : kinds
}

const withOneBefore: ReadonlySet<PullRequestKind> = new Set(['clashing', 'pairing', 'stacked'])
const harmless: ReadonlySet<PullRequestKind> = new Set(['good', 'clashing', 'stacked', 'early'])

type SmallQueue = {
  readonly policy?: 'adaptive'
  readonly concurrency?: 1
  readonly batch?: true
  readonly batchingMinSize?: number
  readonly pendingFailureDepth: number
  readonly canOptimisticallyMerge: boolean
}

/**
 * The settings of the queue in a scope. If no run can fail, neither the pending failure depth nor the
 * policy has an effect.
 */
export function queuesFor(scope: Scope, chosen: readonly PullRequestKind[]): SmallQueue[] {
  const mayFail = chosen.some((kind) => !harmless.has(kind))
  if (!mayFail && scope.isAdaptive) return []
  const depths = mayFail ? scope.depths : [0]
  return scope.batchSizes.flatMap((size) =>
    depths.flatMap((pendingFailureDepth) =>
      [false, true].map((canOptimisticallyMerge) => ({
        ...(scope.hasOneSlot ? { concurrency: 1 as const } : {}),
        ...(size > 1 ? { batch: true as const, batchingMinSize: size } : {}),
        pendingFailureDepth,
        canOptimisticallyMerge,
        ...(scope.isAdaptive ? { policy: 'adaptive' as const } : {}),
      })),
    ),
  )
}
