/**
 * The scopes of the small cases: how many pull requests, how many disturbances, and the settings of
 * the queue. What the adaptive policy decides acts in few situations, so some have a scope of their own.
 */

import { several } from '../../server/terminal/text.ts'
import type { Scenario } from '../scenario/scenario.ts'

/** What a pull request is beside good or a culprit, by its number. Each counts as a disturbance. */
export const traits = {
  conflicting: (number: number) => ({ conflictsWith: [number - 1] }),
  pairing: (number: number) => ({ clashesWith: [number - 1] }),
  stacked: (number: number) => ({ dependsOn: [number - 1] }),
  early: (number: number) => ({ dependsOn: [number + 1] }),
  urgent: () => ({ priority: 'urgent' as const }),
  alone: () => ({ noBatch: true }),
}
export type Trait = keyof typeof traits
export const allTraits = ['conflicting', 'pairing', 'stacked', 'early', 'urgent', 'alone'] as const

/** Those that concern another pull request. */
export const isRelation = (trait: Trait | null): boolean =>
  trait !== null && trait !== 'urgent' && trait !== 'alone'

/** What else can happen to a pull request, or to the branch. */
export type DisturbingEvent = 'cancel' | 'restart' | 'pushToBranch' | 'release'

/** In quarantine from the beginning, where a scope has one. */
export const quarantinedTest = 'clock > strikes twelve'

/** One search: all that can happen to so many pull requests with these settings. */
export type Scope = {
  readonly pullRequests: number
  /** At most so many flakes, traits and events together. */
  readonly disturbances: number
  readonly queue: NonNullable<Scenario['queue']>
  /** This many broke before, so that nobody is likely to pass. */
  readonly brokenBefore: number
  /** A test is in quarantine: runs may fail only it, and it may be released. */
  readonly hasQuarantine?: true
}

const sizes = [1, 2, 3] as const
const batchesOf = (size: number): Scope['queue'] =>
  size > 1 ? { batch: true, batchingMinSize: size } : {}

type Queue = Scope['queue']

/** What a failure waits for, and whether a pass behind it clears it: neither, or both. */
const failures: readonly Queue[] = [
  { pendingFailureDepth: 0 },
  { pendingFailureDepth: 1, canOptimisticallyMerge: true },
]

const documented: readonly Queue[] = sizes.flatMap((size) =>
  failures.map((each) => ({ ...batchesOf(size), ...each })),
)

/** With two slots as many runs are under way as its decisions need, and the search has an end. */
const adaptive: readonly Queue[] = sizes.flatMap((size) =>
  failures.map((each) => ({ policy: 'adaptive', ...batchesOf(size), ...each, concurrency: 2 })),
)

/** With one slot a batch holds all that wait, and survivors of a bisection meet those that wait. */
const crowded: readonly Queue[] = (['documented', 'adaptive'] as const).flatMap((policy) =>
  sizes.map((size) => ({ policy, ...batchesOf(size), concurrency: 1 })),
)

const settings = [...documented, ...adaptive, ...crowded]

/** How many pull requests, and how many disturbances. */
type Extent = readonly [pullRequests: number, disturbances: number]

const searchesOf = (queues: readonly Queue[], [pullRequests, disturbances]: Extent): Scope[] =>
  queues.map((queue) => ({ pullRequests, disturbances, queue, brokenBefore: 0 }))

/** After eight that broke, two predecessors pass with a chance of 0.25 (E-75, E-189). */
const inDoubt = (extent: Extent): Scope[] =>
  searchesOf(
    sizes.map((size) => ({ policy: 'adaptive', ...batchesOf(size) })),
    extent,
  ).map((scope) => ({ ...scope, brokenBefore: 8 }))

const withQuarantine = (scopes: readonly Scope[]): Scope[] =>
  scopes.map((scope) => ({ ...scope, hasQuarantine: true }))

export const scopesOf = (extent: Extent): Scope[] => [
  ...searchesOf(settings, extent),
  ...inDoubt(extent),
]

/**
 * Five pull requests in every order, and fewer of them with what disturbs them. The adaptive policy goes on alike with
 * batches of 2 and of 3 where there are two slots.
 */
export const wholeScopes: readonly Scope[] = [
  ...searchesOf([...documented, ...adaptive.slice(0, 2 * failures.length), ...crowded], [5, 0]),
  ...searchesOf([...documented.slice(0, failures.length), ...crowded], [4, 1]),
  ...searchesOf([...documented.slice(failures.length), ...adaptive], [3, 1]),
  ...inDoubt([3, 0]),
  ...scopesOf([2, 2]),
  ...withQuarantine(searchesOf([...documented, ...crowded], [2, 2])),
  ...withQuarantine(searchesOf(adaptive, [2, 1])),
]

/** One pull request more, for as long as a budget lasts. */
export const largerScopes: readonly Scope[] = searchesOf(settings, [6, 0])

/** Says what a search is about: `5 pull requests, adaptive, batches of 2, 2 slots`. */
export function titleOf(scope: Scope): string {
  const { pullRequests, disturbances, queue, brokenBefore, hasQuarantine } = scope
  const { policy = 'documented', batchingMinSize, pendingFailureDepth = 0, concurrency } = queue
  return [
    several(pullRequests, 'pull request'),
    ...(disturbances > 0 ? [several(disturbances, 'disturbance')] : []),
    policy,
    batchingMinSize === undefined ? 'one by one' : `batches of ${batchingMinSize}`,
    ...(pendingFailureDepth > 0 ? ['failures held'] : []),
    ...(concurrency === undefined ? [] : [several(concurrency, 'slot')]),
    ...(hasQuarantine ? ['a test in quarantine'] : []),
    ...(brokenBefore > 0 ? [`after ${brokenBefore} that broke`] : []),
  ].join(', ')
}
